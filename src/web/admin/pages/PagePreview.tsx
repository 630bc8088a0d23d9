import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { pageLimits, pageStaffMessages as messages } from '../../../shared/pagesStaff';
import { ReadFailure } from '../../connection/ReadFailure';
import shop from '../../pages/OwnPage.module.css';
import { FormattedText } from '../../ui/FormattedText';
import box from '../ui/box.module.css';
import styles from './PageForm.module.css';
import { previewQuery } from './queries';

/** How the shop will show the text, rendered by the server as there. */
export function PagePreview({ title, markdown }: { title: string; markdown: string }) {
  const settled = useSettled(markdown);
  const isReadable = settled.trim() !== '' && settled.length <= pageLimits.markdown;
  const read = useQuery({ ...previewQuery(settled), enabled: isReadable });
  return (
    <section className={box['box']} aria-labelledby="page-preview">
      <header>
        <h2 id="page-preview">Preview</h2>
        <span className="muted">As in the shop</span>
      </header>
      <div className={`${shop['article']} ${styles['preview']}`}>
        <p className="heading text-h1">{title}</p>
        {read.error ? (
          <ReadFailure read={read} failure={messages.previewPage.failure} back={null} />
        ) : (
          <FormattedText html={isReadable ? (read.data ?? '') : ''} className={shop['text']} />
        )}
      </div>
    </section>
  );
}

const pauseMs = 400;

/** @returns the text once nothing was typed for a moment */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
