/** Files: what the build made of the browser app, and the pictures. */
import files from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import path from 'node:path';

const forever = 'public, max-age=31536000, immutable';

/** The products' pictures, whose names are hashes of their content. */
export const servePictures = (app: FastifyInstance, dataDir: string) =>
  serveFolder(app, path.join(dataDir, 'pictures'), '/pictures/');

/** The app's scripts and styles, compressed when it was built, and the few files beside them. */
export async function serveAppFiles(app: FastifyInstance, webFolder: string): Promise<void> {
  await serveFolder(app, path.join(webFolder, 'assets'), '/assets/', true);
  await app.register(files, {
    root: webFolder,
    serve: true,
    wildcard: false, // a route for each of them
    globIgnore: ['index.html', 'assets/**', '.vite/**', '**/*.br', '**/*.gz'],
    index: false,
    decorateReply: false,
    cacheControl: false,
    preCompressed: true,
    setHeaders: (reply) => {
      reply.setHeader('cache-control', 'no-cache');
      reply.setHeader('vary', 'accept-encoding');
    },
  });
}

const serveFolder = (app: FastifyInstance, root: string, prefix: string, preCompressed = false) =>
  app.register(files, {
    root,
    prefix,
    index: false,
    decorateReply: false,
    cacheControl: false,
    immutable: true,
    preCompressed,
    setHeaders: (reply) => {
      reply.setHeader('cache-control', forever);
      if (preCompressed) reply.setHeader('vary', 'accept-encoding');
    },
  });
