// Written by `npm run contract` from openapi/*.yaml. Do not edit.

export interface paths {
    "/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log in
         * @description Also sets both cookies, as session cookies if rememberMe is false. A third cookie makes the browser a known device with its own count of failed attempts. If the second factor is on and email and password are correct, a body without `otp` is rejected with second_factor_required. With a proof, the session is bound to the key of the proof.
         */
        post: operations["login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register a customer account
         * @description Does not log in, and mails a link that proves the address. An address that someone else registered but never proved is rejected like any taken address, and receives a link to take it over. The role is always ROLE_CUSTOMER; a body that requests a role is rejected.
         */
        post: operations["register"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log out
         * @description Ends the session of the given token, even if it has expired; does nothing without a token.
         */
        post: operations["logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/refresh-token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange the refresh token for new tokens
         * @description The token is in the body or, without one, in its cookie. A session bound to a key needs a proof of that key; an unbound session is bound by its first proof.
         */
        post: operations["refreshToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/nonce": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a nonce for a proof
         * @description Valid for at least two minutes. A response to a call with a proof also contains the nonce for the next one.
         */
        get: operations["getNonce"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/reset/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request a password reset link, or set a new password with it
         * @description Requesting a link returns the same response whether or not the address has an account. Only the newest link works, once, for 30 minutes. Setting the password ends all sessions of the account and proves its address. The second factor stays on if the address was proven before, and is switched off otherwise.
         */
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/email/prove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Prove an email address with a mailed link
         * @description Only the newest link works, once, for 30 minutes, and only in a session of its account: 401 for a visitor, 403 for another account. A link mailed to a new address of the account replaces the former address with it.
         */
        post: operations["proveEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/email/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Mail the link that proves the user's address again */
        post: operations["sendProofLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/invitation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an invitation to work in the shop
         * @description Needs the link mailed to the address, which works once, for 72 hours, while the person who sent it is staff. Creates the account with its own password, and proves its address. Does not log in.
         */
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/take-over": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take over an address that someone else registered but never proved
         * @description Needs a link mailed to the address: either the one to prove it, or the one sent on an attempt to register it again. Removes the data of the former account and ends its sessions. Does not log in.
         */
        post: operations["takeOverAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/second-factor/begin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start setting up the second factor
         * @description Requires the password and a proven address. Login asks for a code only after the first code is confirmed.
         */
        post: operations["beginSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/second-factor/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Switch on the second factor with its first code
         * @description Ends all other sessions. A user who was required to set it up must then refresh the token.
         */
        post: operations["confirmSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/second-factor/recovery-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the recovery codes of the second factor
         * @description Requires the password and a one-time or recovery code. The former recovery codes no longer work. The user is notified by mail.
         */
        post: operations["newRecoveryCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/second-factor/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Switch off the second factor
         * @description Requires the password and a one-time or recovery code, and ends all other sessions. Rejected for staff while the shop requires it.
         */
        post: operations["disableSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/cart/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the cart */
        get: operations["getCart"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/cart/add/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Add a product to the cart, or more units of it */
        post: operations["addCartItem"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/cart/item/update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set or change the quantity of a line
         * @description Also accepts the product's current price. Unlike a set quantity, changes from several devices add up: +1 and +1 make +2. A positive change restores a removed line; a result of 0 or less removes the line.
         */
        put: operations["updateCartItem"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/cart/item/{userId}/remove/{cartItemId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a line from the cart */
        delete: operations["removeCartItem"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/cart/{userId}/clear": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Empty the cart */
        put: operations["clearCart"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/lists/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the user's own lists
         * @description All lists with their items, in order of creation.
         */
        get: operations["listLists"];
        put?: never;
        /**
         * Create a list
         * @description The device generates the id. If the user already has a list with this id, it is left unchanged.
         */
        post: operations["createList"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/lists/{userId}/{listId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Rename a list */
        put: operations["renameList"];
        post?: never;
        /** Delete a list with its items */
        delete: operations["deleteList"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/lists/{userId}/{listId}/order": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the order of a list's products
         * @description The last order to arrive wins. Products that are not on the list are ignored; those that are not named follow in their old order.
         */
        put: operations["orderList"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/lists/{userId}/{listId}/items/{productId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the par or the count of a product
         * @description Sets the sent fields and leaves the others unchanged. A product that is not on the list is rejected, unless `add` is true: then it is added.
         */
        put: operations["setListItem"];
        post?: never;
        /** Remove a product from a list */
        delete: operations["removeListItem"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make several changes in sequence
         * @description Each change behaves like a separate call, with its own key, checks, rate limits, transaction and response. A change sent in a batch and repeated on its own, or the reverse, is still made only once. The batch stops at the first rejected change, or after five seconds of work. Later changes are not attempted and have no response, so the order is kept. The batch itself has no key, because rejections in it would be stored with it.
         */
        post: operations["sendBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/contact/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Write to the owner */
        post: operations["createContactMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the messages, newest first */
        get: operations["listMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/messages/{messageId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a message with its answers */
        get: operations["getMessage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/messages/{messageId}/state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Mark a message as new, read or answered */
        put: operations["setMessageState"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/messages/{messageId}/reply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer a message by mail
         * @description Also marks the message as answered. The mail contains only this text, never the sender's own words.
         */
        post: operations["replyToMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List categories */
        get: operations["listCategories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List categories with their number of products */
        get: operations["listCategoriesForStaff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/categories/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Export the categories that match a search as CSV */
        get: operations["exportCategories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/categories/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a category, or restore a deleted one
         * @description The id of a deleted category restores it under that id, which discount codes and reports refer to. Any other id is rejected (category_not_found).
         */
        post: operations["createCategory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/categories/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a category */
        get: operations["getCategory"];
        /** Change a category */
        put: operations["updateCategory"];
        post?: never;
        /** Delete a category that has no products */
        delete: operations["deleteCategory"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List products on sale */
        get: operations["listProducts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search products on sale
         * @description Searches name, other names and text; best matches first, exact matches before all others. Ignores case and accents, matches prefixes, and tolerates typos. Returns at most a few hundred of the best matches. Returns an empty page if `q` contains no word.
         */
        get: operations["searchProducts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/products/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a product
         * @description Also returns products that are no longer sold, with archived true.
         */
        get: operations["getProduct"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/products/by-slug/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the product at a readable address
         * @description A former address leads to the product, too, whose `slug` is the present one.
         */
        get: operations["getProductBySlug"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/products/category/{categoryName}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the products of a category */
        get: operations["listProductsByCategory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/catalog/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List catalog changes since a position in the feed
         * @description Position 0 returns the whole catalog. Repeat with `next` while `more` is true, and later continue from there. A position from before the shop was restored from a backup is treated as 0, and `startOver` is true; then the orders, lists, and carts that a device knows are from before, too. Quantities are exact when few units are left, and may be outdated above 10.
         */
        get: operations["getCatalogChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/products/create/{categoryId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create a product */
        post: operations["createProduct"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/products/update/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change a product
         * @description With `quantityWas`, only the difference is booked, so units sold in the meantime stay sold. With `version`, a product that someone else has changed is rejected, and `errors` contains the `current` value of each field that differs. Without them, the sent values are set. An optional field sent empty is cleared; an omitted one stays. A picture is processed afterwards, as in uploadPicture. The further sizes in `sizes` and `removedSizes` are saved with the product, all or none; `errors` names their fields by row, such as `sizes.1.price`.
         */
        put: operations["updateProduct"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List products with fields for staff */
        get: operations["listProductsForStaff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/products/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the products that match a filter as CSV
         * @description All products in list order, every cell quoted. A text that a spreadsheet could read as a formula gets an apostrophe, which the import removes.
         */
        get: operations["exportProducts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/products/filters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the suppliers and tags of products
         * @description The 100 most common of each, with the number of products.
         */
        get: operations["listProductFilters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/products/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create and change products from CSV
         * @description A row with an id changes that product, one without creates a product; missing columns stay unchanged. With `version`, a product changed since the export is rejected; with `quantityWas`, only the difference is booked. If `apply` is false, nothing is written and each row reports its effect; if true, either all rows are applied or none (import_refused, with `errors` named `line.column`). Rows already imported in the last 30 days change nothing (import_repeated) unless `again` is true, even if another program has saved the file since.
         */
        post: operations["importProducts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List imports, newest first */
        get: operations["listImports"];
        put?: never;
        /**
         * Read a file of products and preview what an import of it does
         * @description The shop's own CSV, a product export of Shopify or of WooCommerce, or any other CSV with a column for each field. Nothing is written to the catalog. The state is `previewed`, or `mapping` if the columns of the file are not known: then the same file is sent again with `mapping`, which is remembered for files with the same columns.
         */
        post: operations["startImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/imports/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read an import with its progress */
        get: operations["getImport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/imports/{id}/rows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what an import does with each row of its file
         * @description Rows are deleted 30 days after the import was started. Then the list is empty.
         */
        get: operations["listImportRows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/imports/{id}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import the rows of a preview
         * @description If a row is wrong, nothing is imported (import_refused) unless `onlyRight` is true, which leaves wrong rows out. A job imports the rows, and continues after a crash. The import has its progress.
         */
        post: operations["runImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/imports/{id}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Undo an import within 24 hours
         * @description Archives the products that it created. Fields that it changed get their former values back, unless someone has changed them since; `kept` names those. Its units leave the stock. A job does it; the state is `undoing`, then `undone`.
         */
        post: operations["undoImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/products/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Archive, restore or switch several products
         * @description Changes all or none. The response lists the products that were changed, so that Undo affects only those.
         */
        put: operations["changeProducts"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/products/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a product with fields for staff */
        get: operations["getProductForStaff"];
        put?: never;
        post?: never;
        /** Archive a product, which preserves it for orders and old links */
        delete: operations["archiveProduct"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/products/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Restore an archived product to the catalog */
        post: operations["restoreProduct"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/products/{id}/size-of": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Make a product another size of a second one, or no longer a size of others
         * @description The product joins the group of the second one, or both form a new group. A product that has other sizes already is rejected (already_a_size), unless `move` is true. A group has at most 20 products.
         */
        put: operations["setSizeOf"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/products/{id}/picture": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Replace a product's first photo
         * @description JPEG, PNG, WebP, AVIF or GIF by content, at most 10 MB and 40 megapixels. Its sizes are created afterwards: until then the product keeps its current picture, and `pictureUpload` has the state.
         */
        put: operations["uploadPicture"];
        post?: never;
        /**
         * Remove a product's first photo
         * @description Also cancels an upload that would replace it. The next photo becomes the first.
         */
        delete: operations["removePicture"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/products/{id}/photos": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Order and describe a product's photos
         * @description All photos in their new order, including those that are being processed or have failed. If a photo was added or removed in the meantime, the call is rejected. An `alt` that is not sent does not change.
         */
        put: operations["arrangePhotos"];
        /**
         * Add a photo after a product's other photos
         * @description The same files as in uploadPicture. Its sizes are created afterwards: until then `photos` has it as `processing`, under the id that it keeps. Photos that are being processed or have failed count toward the limit of 10.
         */
        post: operations["addPhoto"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/products/{id}/photos/{photoId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove one of a product's photos, or an upload that is being processed or has failed */
        delete: operations["removePhoto"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/products/{id}/stock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the movements of a product's stock, newest first */
        get: operations["listStockMovements"];
        put?: never;
        /**
         * Correct a product's stock manually
         * @description By a `change`, or by a count: `counted` books the difference from `quantityWas`, so that units sold since the form was opened stay sold.
         */
        post: operations["adjustStock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/users/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the user's own account */
        get: operations["getUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/users/{userId}/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change the user's own profile
         * @description A new email address requires the password, and a code if the second factor is on. It takes effect immediately, receives a link that proves it, and ends all other sessions; the former address is notified. For staff, and with the second factor on, the former address stays until the account itself opens the link. A code works once, so if the response is lost before it is stored, the client must send another code. An omitted phone number or date of birth stays unchanged; null removes it.
         */
        put: operations["updateProfile"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/users/{userId}/picture": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Replace the user's own avatar
         * @description JPEG, PNG, WebP, AVIF or GIF by content, at most 10 MB and 40 megapixels. It is cropped to a centered square; the original is not stored.
         */
        put: operations["setOwnPicture"];
        post?: never;
        /** Remove the user's own avatar */
        delete: operations["removeOwnPicture"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/users/{userId}/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change the user's own password
         * @description Ends all other sessions. A user who was required to change it must then refresh the token.
         */
        put: operations["changePassword"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/users/{userId}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the user's own sessions */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        /** End all of the user's other sessions */
        delete: operations["endOtherSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/users/{userId}/sessions/{sessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End one of the user's own sessions */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/users/address/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Add an address */
        put: operations["addAddress"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/users/address/{userId}/{addressId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Change a saved address */
        put: operations["updateAddress"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/users/{userId}/address/{addressId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a saved address */
        delete: operations["removeAddress"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List users, newest first by default */
        get: operations["listUsers"];
        put?: never;
        /**
         * Create an account for another person
         * @description An address that someone registered but never proved is rejected with its own message, and receives a link to take it over.
         */
        post: operations["createUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users/invite": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Invite a person to work in the shop
         * @description Mails a link that works once, for 72 hours, to choose a password. The account exists once the link was used. Only the newest invitation of an address is valid.
         */
        post: operations["inviteStaff"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Export all users that match a filter as CSV */
        get: operations["exportUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tags of customers
         * @description The 100 most common, with the number of customers.
         */
        get: operations["listCustomerTags"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read any account */
        get: operations["getUserForStaff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users/{id}/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what a customer has bought, and the notes and tags of staff
         * @description Counts the orders that were paid, refunded ones included.
         */
        get: operations["getCustomerSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users/{id}/notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Add a staff note to a customer */
        post: operations["addCustomerNote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users/{id}/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the tags of a customer
         * @description Tags are trimmed, and those that differ only in case are one tag. With `seen`, the tags that the caller's page showed, only the difference is applied, so that the tags of two staff members at once are all kept.
         */
        put: operations["setCustomerTags"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users/{userId}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Sign a user out everywhere
         * @description Only an owner can end the sessions of an owner.
         */
        delete: operations["endSessionsOfUser"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users/{userId}/promotions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the accounts that a user made staff, latest first
         * @description Accounts that the user made admins or added as admins, those that these did in turn, and so on, whatever their roles are now. Omits accounts that someone else made admins again later.
         */
        get: operations["listPromotions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users/{userId}/staff-mails": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read which emails the user gets as staff */
        get: operations["getStaffMails"];
        /** Choose which emails the user gets as staff */
        put: operations["setStaffMails"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users/{userId}/role": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Make a user an admin or a customer
         * @description Users cannot change their own role, or an owner's. An admin needs a proven address.
         */
        put: operations["updateUserRole"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users/{userId}/enabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Enable or disable a user
         * @description Disabling immediately ends all sessions of the user. An owner cannot be disabled.
         */
        put: operations["updateUserEnabled"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/order/{userId}/payment/{cartId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Place an order and get the URL of the payment page
         * @description Takes the stock and writes the order before opening the payment session. Repeating the same lines, prices and address returns the same order and session. Any difference ends the older order first, and the new one holds its goods no longer than the older one would have. After unpaid orders, the customer may have to wait. With `expectedTotal`, no other total is ever charged: a different total is rejected, and the error contains the new quote.
         */
        post: operations["placeOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/order/{userId}/quote/{cartId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Quote the cart with delivery, tax and a discount code
         * @description Changes nothing except the count of wrong codes. Without an address there are no delivery methods and no tax; a method that does not serve the state is replaced by the cheapest one that does.
         */
        post: operations["quoteOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/order/customerorders/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the user's own orders, newest first */
        get: operations["listCustomerOrders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/order/check-status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Check whether a payment session is paid */
        get: operations["checkPaymentStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/order/payment/success": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Query the provider about a payment session, and complete its order if paid */
        get: operations["capturePayment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/order/{orderId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an order
         * @description The user's own order; staff may read any order. page and size are accepted and ignored.
         */
        get: operations["getOrder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all orders, newest first by default
         * @description `from` and `to` are days, both included; `by` selects the event that must fall into them. With `paid`, the list is what the dashboard counts for Sales and Expenses, with `money` what it counts for Revenue; with `product`, `category` or `state`, it matches a row of a report.
         */
        get: operations["listOrders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/orders/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Export all orders that match a filter as CSV */
        get: operations["exportOrders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/orders/pick-list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what is left to ship in the chosen orders, by product
         * @description Sorted by shelf, then name. Products without a shelf come last. The units of a product are the sum of those on the packing slips of the same orders, as far as these have something left to ship.
         */
        get: operations["getPickList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/orders/packing-slips": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the chosen orders for their packing slips
         * @description Sorted by order number. The slip of an order with nothing left to ship has what was shipped. An order that neither has is only named.
         */
        get: operations["getPackingSlips"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/orders/labels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the addresses and weights of the chosen orders as CSV, for a label service
         * @description A row per order with something left to ship, sorted by order number, with the columns that Pirate Ship and ShipStation import. The weight is that of the units left to ship, in ounces. It is empty if the shipping weight of one of the products is unknown.
         */
        get: operations["exportLabels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/orders/{orderId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read an order with fields for staff */
        get: operations["getOrderForStaff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/orders/{orderId}/tracking": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set, change or remove the tracking link
         * @description The customer sees it in the order and in the shipping mail.
         */
        put: operations["setOrderTracking"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/orders/{orderId}/parcels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ship units of a paid order in a parcel
         * @description Never more units than are left to ship. When a parcel takes the last unit of a paid order, the order becomes OUT_FOR_DELIVERY. The customer is notified by one mail per parcel, 11 seconds later.
         */
        post: operations["createParcel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/orders/{orderId}/parcels/{parcelId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change a parcel's carrier, number or link
         * @description Fields that are left out stay as they are; null removes a number or a link.
         */
        put: operations["updateParcel"];
        post?: never;
        /**
         * Delete a parcel
         * @description Within 10 seconds, or while the customer was not notified. Its units are left to ship again, so an order that was OUT_FOR_DELIVERY is PAID again. Not possible once the order is DELIVERED or REFUNDED.
         */
        delete: operations["deleteParcel"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/orders/{orderId}/notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Add a staff note to an order */
        post: operations["addOrderNote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/orders/{orderId}/update/{status}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Move an order to its next status
         * @description Forward steps only; the person who made the last step may take it back within 10 seconds.
         */
        put: operations["updateOrderStatus"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/orders/{orderId}/refund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refund an order: all that is left, lines and delivery, or an amount
         * @description Lines return what was paid for their units, after their share of the discount and with their share of the tax, but never more than is left. The refund is stored before the provider is called. While the provider cannot be reached, it stays `asked`, and is made as soon as the provider answers. When nothing is left, the order becomes REFUNDED.
         */
        post: operations["refundOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/orders/{orderId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an order before anything has shipped
         * @description A paid order is refunded as a whole and becomes REFUNDED; its units return to the shelf unless `restock` is false. While the provider cannot be reached, the refund stays `asked`, as for `refundOrder`. An unpaid order is canceled once its payment is impossible; if it has been paid before that, it is completed and the call is rejected, and while the provider cannot be reached, nothing is canceled. An order that is already canceled or refunded stays as it is.
         */
        post: operations["cancelOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/order/{orderId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel the user's own unpaid order
         * @description First makes payment impossible at the provider, then cancels the order and returns its goods to the shelf. If the order has been paid before that, it is completed instead and the call is rejected. While the provider cannot be reached, nothing is canceled. An order that is already canceled stays as it is.
         */
        post: operations["cancelOwnOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/order/{orderId}/reorder": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Preview what ordering again would add to the cart
         * @description The user's own order only. Adds nothing; each line shows what has changed.
         */
        get: operations["previewReorder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/mails": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the mails, newest first */
        get: operations["listMails"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/mails/{mailId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a mail with its text */
        get: operations["getMail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/mails/{mailId}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a mail again
         * @description Admins can send mails about orders again, owners all.
         */
        post: operations["resendMail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/holds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the holds of unpaid orders, largest share of the stock first */
        get: operations["listHolds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/holds/{orderId}/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End the hold of an unpaid order
         * @description First makes payment impossible at the provider, then cancels the order and returns its goods to the shelf. If the order has been paid before that, it is completed instead. While the provider cannot be reached, the order stays PENDING_PAYMENT, and ends as soon as the provider answers.
         */
        post: operations["endHold"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/delivery-methods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List delivery methods in checkout order, including inactive ones */
        get: operations["listDeliveryMethods"];
        put?: never;
        /** Add a delivery method */
        post: operations["createDeliveryMethod"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/delivery-methods/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Replace a delivery method
         * @description Omitted fields get the defaults of a new method, except the position, which stays. Also restores an archived method. Orders keep the name and price that they were placed with.
         */
        put: operations["updateDeliveryMethod"];
        post?: never;
        /**
         * Archive a delivery method, which removes it from all lists
         * @description PUT restores it.
         */
        delete: operations["archiveDeliveryMethod"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/tax-rates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the states that collect sales tax, by their two letters */
        get: operations["listTaxRates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/tax-rates/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Export all states of the shop with their rates as CSV */
        get: operations["exportTaxRates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/tax-rates/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set rates from CSV
         * @description Applies all rows or none (import_refused, with `errors` named `line.column`). A row sets the rate of its state, an empty rate removes it, and states without a row stay unchanged.
         */
        post: operations["importTaxRates"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/tax-rates/collected": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sales tax by state in a period
         * @description Orders by day of payment, refunds by day of refund, in the shop's time zone. The orders of a row: GET /admin/orders with by=paid, the same days and `state`; those that refunded tax: by=refunded and `taxState`.
         */
        get: operations["getTaxCollected"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/tax-rates/collected/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Export sales tax by state as CSV */
        get: operations["exportTaxCollected"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/tax-rates/{state}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the rate of a state
         * @description Applies to orders placed afterwards.
         */
        put: operations["setTaxRate"];
        post?: never;
        /** Remove the rate of a state, if it has one */
        delete: operations["removeTaxRate"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/alarms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List open alarms, newest first */
        get: operations["listAlarms"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/alarms/{alarmId}/settle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Settle an alarm */
        post: operations["settleAlarm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/dashboard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the figures of a period
         * @description Days are in the shop's time zone. The default `period` is `30days`; `custom` requires `from` and `to`, at most ten years apart. Lists behind the figures: Sales and Expenses are GET /admin/orders?by=paid, Revenue is by=money, with `from` and `to` of the response.
         */
        get: operations["getDashboard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/go-live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what must be done before the first sale
         * @description Each step is derived from the shop's data, so it opens again when it is no longer true.
         */
        get: operations["getGoLive"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check whether everything works
         * @description Each check says what was found, and if something needs attention, what to do. Checks of the last 30 days end now. A check that could not be made needs attention, too.
         */
        get: operations["getHealthReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/reports/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sum up the sales, refunds, costs and gross profit of a period
         * @description Counts payments and refunds at their own time, like the dashboard's Revenue: `total` is that figure. `period` defaults to `custom` if `from` and `to` are given, else to `month`.
         */
        get: operations["getSalesSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/reports/summary/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the sales summary as CSV
         * @description With `by` a row for each of the summary's rows, otherwise a row for each figure, with that of the period before. Discounts, returns and costs are negative.
         */
        get: operations["exportSalesSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/reports/{by}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Report the revenue of a period by product, category, month or state
         * @description Counts payments and refunds at their own time, like the dashboard's Revenue: `sum.net` is that figure. `period` defaults to `custom` if `from` and `to` are given, else to `12months`. The orders of a row are GET /admin/orders?by=money with `from` and `to` of the response, and the row's `key` as `product`, `category` or `state`; for a month, with its own days.
         */
        get: operations["getReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/reports/{by}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Export the rows of a report as CSV */
        get: operations["exportReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/discounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List discount codes, newest first unless asked otherwise
         * @description `period` limits the payments and refunds counted in the revenue; by default all are counted, and `custom` requires `from` and `to`. Uses are always counted in total, because the limits of a code are.
         */
        get: operations["listDiscounts"];
        put?: never;
        /** Create a discount code */
        post: operations["createDiscount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/discounts/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Export the codes that match a filter as CSV */
        get: operations["exportDiscounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/discounts/{discountId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a discount code
         * @description Its revenue counts everything ever paid with the code. GET /admin/orders?discount= lists its orders.
         */
        get: operations["getDiscount"];
        /**
         * Change a discount code
         * @description Omitted fields get the defaults of a new code. The code and kind of a used code cannot change (discount_used), because customers know it by them.
         */
        put: operations["updateDiscount"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List audit log entries, newest first */
        get: operations["listAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/audit/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Export all entries that match a filter as CSV */
        get: operations["exportAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/settings/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read whether payments are set up
         * @description The answer of the last check of the key, which is made at start and hourly, and by checkPayments.
         */
        get: operations["getPaymentStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/settings/payments/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ask the payment provider now whether the key works */
        post: operations["checkPayments"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/pages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the published pages in footer order */
        get: operations["listPages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/pages/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a published page */
        get: operations["getPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/pages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List all pages in footer order, drafts too */
        get: operations["listStaffPages"];
        put?: never;
        /** Add a page */
        post: operations["createPage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/pages/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Render a text as the shop will show it
         * @description Changes nothing, so it takes no Idempotency-Key.
         */
        post: operations["previewPage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/pages/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a page with its text */
        get: operations["getStaffPage"];
        /**
         * Replace a page
         * @description Without `position`, it stays where it is. With `version`, a page that was changed meanwhile is rejected, and `errors` has the `current` value of each field that differs from the sent one. Also restores a deleted page.
         */
        put: operations["updatePage"];
        post?: never;
        /**
         * Delete a page
         * @description PUT restores it.
         */
        delete: operations["deletePage"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the settings */
        get: operations["getSettings"];
        /**
         * Change the settings
         * @description Requiring a second factor of staff needs one on the owner's account, and immediately signs out all staff without one.
         */
        put: operations["updateSettings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/settings/email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the mail server's settings and whether it works */
        get: operations["getEmailSettings"];
        /**
         * Set the mail server, and check it
         * @description Requires the owner's own password, and a code if the second factor is on. The owner is notified by email. An omitted password of the mail server stays, unless the server, port, security, or user changes. The settings are saved even if the server rejects them; the answer says so.
         */
        put: operations["setEmailSettings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/settings/email/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove the mail server
         * @description Requires the owner's own password, and a code if the second factor is on. The owner is notified through the removed server, if it works. Emails that wait are not sent.
         */
        post: operations["removeMailServer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/settings/email/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a test email, and report what the mail server answered */
        post: operations["sendTestEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/settings/backups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Set when backups are made and how many are kept */
        put: operations["setBackups"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/backups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List backups, newest first, with the schedule */
        get: operations["listBackups"];
        put?: never;
        /**
         * Back up now
         * @description A job makes the backup and reads it back. The list shows when it is done.
         */
        post: operations["startBackup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/backups/{backupId}/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get a link to download a backup
         * @description Requires the password, and a one-time or recovery code if the owner has a second factor. The owner's address is notified. The link works for a minute, with the login that asked for it.
         */
        post: operations["openBackupDownload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/backups/{backupId}/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Download a backup */
        get: operations["downloadBackup"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/settings/logo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Replace the shop's logo
         * @description JPEG, PNG, WebP, AVIF or GIF by content, at most 10 MB and 40 megapixels. The header, emails, receipts, the test payment page, and the icons of the installed app show it; the original is not stored.
         */
        put: operations["setLogo"];
        post?: never;
        /** Remove the shop's logo */
        delete: operations["removeLogo"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/shop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the shop's name, contact data, time zone, units, and pages */
        get: operations["getShop"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Listen for changes
         * @description Server-sent events that name what has changed, but never the new data: clients read it again. `hello` comes first, with {build, userId}: a build other than the page's means that a new version is available; userId is the user whose cart and orders the stream covers, or null for a visitor or an expired login. After reconnecting, a client must read everything again, because it may have missed events. `catalog` has {position}, the latest position of the change feed. `cart`, `orders` and `lists` have {}: the signed-in user's data changed, on this device or another. `admin-orders` is sent to staff only when any order changes; it has {isPaid, paidOrderIds}: whether orders were just paid, and which. The stream ends with the session, and after an hour; clients then reconnect.
         */
        get: operations["streamEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/payment/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the settings of the payment provider for the checkout
         * @description Only /checkout calls this. If there is a key, only that page may load the provider's script.
         */
        get: operations["getPaymentSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payments/webhook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive an event of the payment provider
         * @description Authenticated by the signature over the raw bytes, and processed once: the event's id is stored together with its effect.
         */
        post: operations["receivePaymentEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @example {
         *       "email": "customer@example.com",
         *       "password": "pepper and salt 1",
         *       "rememberMe": true
         *     }
         */
        Credentials: {
            email: string;
            password: string;
            /**
             * @description If false, the cookies end with the browser session
             * @default true
             */
            rememberMe: boolean;
            /** @description One-time or recovery code, if the second factor is on */
            otp?: string;
        };
        FieldError: {
            /** @description As in the request, parts joined by dots: deliveryAddress.city */
            field: string;
            message: string;
            /** @description The current value of the field, as a form sends it, if that is the reason for the rejection */
            current?: string;
        };
        /** @description US dollars */
        Money: number;
        QuotedDiscount: {
            code: string;
            /** @enum {string} */
            kind: "percent" | "amount" | "free_delivery";
            /** @description Amount taken off the goods */
            amount: components["schemas"]["Money"];
        };
        /** Format: uuid */
        Uuid: string;
        QuotedMethod: {
            id: components["schemas"]["Uuid"];
            name: string;
            /** @description Delivery time; may be empty */
            description: string;
            /** @description For this order; 0 if free */
            price: components["schemas"]["Money"];
            /** @description Free from this sum of goods */
            freeFrom: number | null;
        };
        QuotedTax: {
            /** @description In percent */
            rate: number;
            amount: components["schemas"]["Money"];
        };
        /**
         * @example {
         *       "goods": 32,
         *       "discount": {
         *         "code": "WELCOME10",
         *         "kind": "percent",
         *         "amount": 3.25
         *       },
         *       "deliveryMethods": [
         *         {
         *           "id": "3d5c9a70-1b2e-4f68-9a0d-7c6b5e4f3a21",
         *           "name": "Standard",
         *           "description": "3–5 business days",
         *           "price": 5.5,
         *           "freeFrom": 60
         *         }
         *       ],
         *       "deliveryMethodId": "3d5c9a70-1b2e-4f68-9a0d-7c6b5e4f3a21",
         *       "delivery": 5.5,
         *       "tax": {
         *         "rate": 4,
         *         "amount": 1.25
         *       },
         *       "total": 35.5
         *     }
         */
        Quote: {
            goods: components["schemas"]["Money"];
            discount: components["schemas"]["QuotedDiscount"] | null;
            /** @description Methods that serve the state; null: none are configured, or no state yet; empty: none serves it */
            deliveryMethods: components["schemas"]["QuotedMethod"][] | null;
            /**
             * Format: uuid
             * @description The method included in the total
             */
            deliveryMethodId: string | null;
            delivery: number | null;
            tax: components["schemas"]["QuotedTax"] | null;
            /** @description null if no method serves the state */
            total: number | null;
        };
        /**
         * @example {
         *       "type": "about:blank",
         *       "title": "Conflict",
         *       "status": 409,
         *       "detail": "Only 3 left",
         *       "message": "Only 3 left",
         *       "code": "not_enough_stock",
         *       "errors": [],
         *       "requestId": "req-1f"
         *     }
         * @example {
         *       "type": "about:blank",
         *       "title": "Bad Request",
         *       "status": 400,
         *       "detail": "Invalid email address",
         *       "message": "Invalid email address",
         *       "code": "invalid_request",
         *       "errors": [
         *         {
         *           "field": "email",
         *           "message": "Invalid email address"
         *         }
         *       ],
         *       "requestId": "req-2a"
         *     }
         */
        Problem: {
            /** Format: uri-reference */
            type: string;
            /** @description The meaning of the status */
            title: string;
            status: number;
            /** @description The same as `message`, under its RFC 9457 name */
            detail: string;
            /** @description The message to show */
            message: string;
            /** @enum {string} */
            code: "address_not_found" | "address_required" | "alarm_not_found" | "already_a_size" | "already_restocked" | "backup_not_found" | "backup_not_here" | "backup_running" | "cart_empty" | "cart_item_not_found" | "cart_not_found" | "category_in_use" | "category_name_taken" | "category_not_found" | "code_taken" | "cross_site_request" | "customer_required" | "discount_ended" | "discount_minimum" | "discount_not_for_these" | "discount_not_found" | "discount_not_yet" | "discount_unknown" | "discount_used" | "discount_used_before" | "discount_used_up" | "download_link_invalid" | "email_link_invalid" | "email_not_proven" | "email_proven" | "email_settings_fixed" | "email_taken" | "forbidden" | "idempotency_key_reused" | "illegal_status_change" | "import_not_found" | "import_not_undoable" | "import_refused" | "import_repeated" | "import_started" | "internal" | "invalid_credentials" | "invalid_csv" | "invalid_dpop_proof" | "invalid_mapping" | "invalid_request" | "invalid_signature" | "invitation_invalid" | "line_unavailable" | "list_full" | "list_item_not_found" | "list_name_taken" | "list_not_found" | "mail_cancelled" | "mail_not_found" | "message_not_found" | "method_name_taken" | "method_not_found" | "missing_payment_information" | "no_delivery" | "no_mail_server" | "not_a_picture" | "not_enough_stock" | "not_found" | "not_refundable" | "nothing_left_to_ship" | "order_again_later" | "order_not_found" | "order_paid" | "order_shipped" | "own_role" | "owner_enabled" | "owner_role" | "owner_sessions" | "page_changed" | "page_not_found" | "parcel_final" | "parcel_not_found" | "password_change_required" | "payload_too_large" | "payment_not_completed" | "payment_not_found" | "payment_unavailable" | "photo_not_found" | "photo_taken" | "photos_changed" | "picture_too_large" | "price_changed" | "product_changed" | "product_not_found" | "product_unavailable" | "proof_required" | "refund_refused" | "refund_too_large" | "reset_link_invalid" | "second_factor_for_staff" | "second_factor_invalid" | "second_factor_is_off" | "second_factor_is_on" | "second_factor_not_begun" | "second_factor_required" | "second_factor_setup_required" | "session_ended" | "session_not_found" | "sku_taken" | "slug_taken" | "storage_full" | "too_many_addresses" | "too_many_attempts" | "too_many_for_new_customer" | "too_many_lines" | "too_many_lists" | "too_many_methods" | "too_many_pages" | "too_many_photos" | "too_many_requests" | "too_many_sizes" | "too_many_streams" | "too_many_tags" | "too_many_units" | "total_changed" | "total_too_large" | "total_too_small" | "unauthenticated" | "unavailable" | "unsupported_media_type" | "use_dpop_nonce" | "user_not_found" | "wrong_code" | "wrong_password";
            /** @description The invalid fields; empty if the error is not about fields */
            errors: components["schemas"]["FieldError"][];
            /** @description For reporting the error to the owner; also in the log */
            requestId: string;
            /** @description The current quote, if the total that the customer saw is rejected (total_changed) */
            quote?: components["schemas"]["Quote"] | null;
        };
        /** @description A message that may be shown */
        Message: string;
        /** @enum {string} */
        Role: "ROLE_CUSTOMER" | "ROLE_ADMIN" | "ROLE_OWNER";
        /**
         * Format: date-time
         * @description ISO 8601 in UTC
         */
        Time: string;
        /**
         * @description Square; files are `${base}-${width}.avif` and `.webp`
         * @example {
         *       "base": "/portraits/5f1d3c7a9b2e4d6f8a0c1b3d5e7f9a2b",
         *       "widths": [
         *         160
         *       ]
         *     }
         */
        UserPicture: {
            base: string;
            /** @description In pixels, smallest first */
            widths: number[];
        };
        Address: {
            id: components["schemas"]["Uuid"];
            street: string;
            city: string;
            /** @description Two letters */
            state: string;
            postalCode: string;
            /** @description Only if set */
            street2?: string;
            /** @description Only if set */
            company?: string;
            /** @description Only if set */
            phone?: string;
            /** @description Always United States */
            country: string;
            /**
             * @description Only of the address of the user's latest order
             * @constant
             */
            isLastUsed?: true;
        };
        /**
         * @example {
         *       "id": "6f1c2a34-8b1d-4c57-9e21-5a0b3c7d9e10",
         *       "fullName": "Example Customer",
         *       "email": "customer@example.com",
         *       "role": "ROLE_CUSTOMER",
         *       "createdAt": "2026-03-02T09:30:00.000Z",
         *       "joinDate": "2026-03-02T09:30:00.000Z",
         *       "isEnabled": true,
         *       "hasSecondFactor": false,
         *       "isEmailProven": true,
         *       "imageUrl": null,
         *       "picture": null,
         *       "phoneNumber": null,
         *       "dob": null,
         *       "description": "Cooks domoda on Sundays",
         *       "addresses": [
         *         {
         *           "id": "52c8e6b0-7d1f-4a39-9b84-0e3f6a2d5c71",
         *           "street": "12 Market Street",
         *           "city": "Atlanta",
         *           "state": "GA",
         *           "postalCode": "30303",
         *           "country": "United States"
         *         }
         *       ]
         *     }
         */
        User: {
            id: components["schemas"]["Uuid"];
            fullName: string;
            email: string;
            role: components["schemas"]["Role"];
            createdAt: components["schemas"]["Time"];
            /** @description The same as createdAt */
            joinDate: components["schemas"]["Time"];
            isEnabled: boolean;
            /** @description Whether login requires a one-time code */
            hasSecondFactor: boolean;
            /** @description Whether a link mailed to the address was opened */
            isEmailProven: boolean;
            /** @description The picture as WebP */
            imageUrl: string | null;
            /** @description Null when there is none */
            picture: components["schemas"]["UserPicture"] | null;
            phoneNumber: string | null;
            /** @description Date of birth, 1990-12-31 */
            dob: string | null;
            description: string | null;
            addresses: components["schemas"]["Address"][];
            /** @description Paid orders, refunded ones included; only in the list */
            orders?: number;
            /** @description The total of these orders, less what was refunded; only in the list */
            spent?: components["schemas"]["Money"];
        };
        /**
         * @description What the user must do first. Until it is done and the token is refreshed, all calls answer 403 password_change_required or second_factor_setup_required, except public calls, reading the user's own account, and the calls that fulfill it.
         * @enum {string|null}
         */
        MustDo: "change_password" | "set_up_second_factor" | null;
        /**
         * @example {
         *       "user": {
         *         "id": "6f1c2a34-8b1d-4c57-9e21-5a0b3c7d9e10",
         *         "fullName": "Example Customer",
         *         "email": "customer@example.com",
         *         "role": "ROLE_CUSTOMER",
         *         "createdAt": "2026-03-02T09:30:00.000Z",
         *         "joinDate": "2026-03-02T09:30:00.000Z",
         *         "isEnabled": true,
         *         "hasSecondFactor": false,
         *         "isEmailProven": true,
         *         "imageUrl": null,
         *         "picture": null,
         *         "phoneNumber": null,
         *         "dob": null,
         *         "description": null,
         *         "addresses": []
         *       },
         *       "jwt": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI2ZjFjIn0.c2lnbmF0dXJl",
         *       "refreshToken": "Zx3vQ0m1TqH8bK5nR2yW7cJ4sD9fL6gA",
         *       "mustDo": null
         *     }
         */
        AuthResponse: {
            user: components["schemas"]["User"];
            /** @description Access token for the Authorization header; valid for 15 minutes */
            jwt: string;
            /** @description Opaque; each use returns a new one */
            refreshToken: string;
            mustDo: components["schemas"]["MustDo"];
        };
        AuthAnswer: {
            message: components["schemas"]["Message"];
            data: {
                authResponse: components["schemas"]["AuthResponse"];
            };
        };
        /**
         * @example {
         *       "fullName": "Example Customer",
         *       "email": "customer@example.com",
         *       "password": "pepper and salt 1",
         *       "confirmPassword": "pepper and salt 1",
         *       "street": "12 Market Street",
         *       "city": "Atlanta",
         *       "state": "GA",
         *       "postalCode": "30303"
         *     }
         */
        Registration: {
            fullName: string;
            email: string;
            password: string;
            confirmPassword: string;
            street: string;
            city: string;
            state: string;
            postalCode: string;
        };
        UserAnswer: {
            message: components["schemas"]["Message"];
            data: {
                user: components["schemas"]["User"];
            };
        };
        /**
         * @description No body is needed; an empty object is allowed
         * @example {}
         */
        EmptyBody: Record<string, never>;
        /**
         * @example {
         *       "message": "Logout successful",
         *       "data": {}
         *     }
         */
        MessageAnswer: {
            message: components["schemas"]["Message"];
            data: Record<string, never>;
        };
        /**
         * @example {
         *       "refreshToken": "Zx3vQ0m1TqH8bK5nR2yW7cJ4sD9fL6gA"
         *     }
         */
        RefreshRequest: {
            refreshToken?: string;
        };
        /**
         * @example {
         *       "email": "customer@example.com"
         *     }
         */
        ResetLinkRequest: {
            email: string;
        };
        /**
         * @example {
         *       "token": "4tGm9Xc2Lp7Vb1Kd",
         *       "password": "cloves and mace 2",
         *       "confirmPassword": "cloves and mace 2"
         *     }
         */
        NewPassword: {
            /** @description From the mailed link */
            token: string;
            password: string;
            confirmPassword: string;
        };
        PasswordReset: components["schemas"]["ResetLinkRequest"] | components["schemas"]["NewPassword"];
        /**
         * @example {
         *       "token": "4tGm9Xc2Lp7Vb1Kd"
         *     }
         */
        EmailProof: {
            /** @description From the mailed link */
            token: string;
        };
        InvitationAnswer: {
            message: components["schemas"]["Message"];
            data: {
                /**
                 * @description Of the new account
                 * @example admin@example.com
                 */
                email: string;
            };
        };
        /**
         * @example {
         *       "token": "4tGm9Xc2Lp7Vb1Kd",
         *       "fullName": "Example Customer",
         *       "password": "cloves and mace 2",
         *       "confirmPassword": "cloves and mace 2"
         *     }
         */
        Takeover: {
            /** @description From the mailed link */
            token: string;
            fullName: string;
            password: string;
            confirmPassword: string;
        };
        /**
         * @example {
         *       "password": "pepper and salt 1"
         *     }
         */
        PasswordProof: {
            /** @description The current password */
            password: string;
        };
        /**
         * @example {
         *       "secret": "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
         *       "uri": "otpauth://totp/Shop:ana?secret=JBSWY3DPEHPK3PXPJBSWY3DP"
         *     }
         */
        SecondFactor: {
            /** @description Base32, for manual entry */
            secret: string;
            /** @description The same as an otpauth:// URI, for a QR code */
            uri: string;
        };
        SecondFactorAnswer: {
            message: components["schemas"]["Message"];
            data: {
                secondFactor: components["schemas"]["SecondFactor"];
            };
        };
        /**
         * @example {
         *       "otp": "123456"
         *     }
         */
        OneTimeCode: {
            /** @description Six digits from the authenticator app */
            otp: string;
        };
        RecoveryCodesAnswer: {
            message: components["schemas"]["Message"];
            data: {
                /**
                 * @description Each replaces a one-time code once
                 * @example [
                 *       "3f9k-7m2p",
                 *       "8q4t-1x6w",
                 *       "5b2n-9c7v",
                 *       "6h3j-4d8s",
                 *       "2r7y-5g1z",
                 *       "9p4k-3t6m",
                 *       "7w1x-8n5q",
                 *       "4c6v-2b9h",
                 *       "1s8d-6j3f",
                 *       "5z9r-7y4g"
                 *     ]
                 */
                recoveryCodes: string[];
            };
        };
        /**
         * @example {
         *       "password": "pepper and salt 1",
         *       "otp": "123456"
         *     }
         */
        SecondFactorProof: {
            /** @description The current password */
            password: string;
            /** @description One-time or recovery code */
            otp: string;
        };
        /**
         * @description What the customer must settle before this line can be ordered
         * @enum {string|null}
         */
        CartNotice: "price_changed" | "out_of_stock" | "archived" | "not_enough_stock" | null;
        /**
         * @example {
         *       "id": "c4a9d1e7-2b35-5f68-9a04-7e1b8c3d6f52",
         *       "cartItemId": "c4a9d1e7-2b35-5f68-9a04-7e1b8c3d6f52",
         *       "productId": "9d2e7b14-6c8f-4e03-b5a1-3f7c9e0d2b68",
         *       "productName": "Domoda Peanut Base",
         *       "price": 9.5,
         *       "quantity": 3,
         *       "totalPrice": 28.5,
         *       "imageUrl": "/pictures/5e1f0c7a9b3d2846-640.webp",
         *       "currentPrice": 9.75,
         *       "available": true,
         *       "stock": 64,
         *       "notice": "price_changed"
         *     }
         */
        CartItem: {
            id: components["schemas"]["Uuid"];
            cartItemId: components["schemas"]["Uuid"];
            productId: components["schemas"]["Uuid"];
            productName: string;
            /** @description The last price that the customer accepted */
            price: components["schemas"]["Money"];
            quantity: number;
            /** @description price x quantity */
            totalPrice: components["schemas"]["Money"];
            imageUrl: string | null;
            /** @description The current price of the product */
            currentPrice: components["schemas"]["Money"];
            /** @description Sold, and in stock */
            available: boolean;
            /** @description Maximum units available to this customer, including their own open order */
            stock: number;
            notice: components["schemas"]["CartNotice"];
            /** @description The former price of a sale; missing without one */
            compareAtPrice?: components["schemas"]["Money"];
            /** @description The size as staff wrote it; missing without one */
            unitSize?: string;
            /** @description The product's net weight; missing without one */
            netGrams?: number;
            /** @description The product's net volume; missing without one */
            netMillilitres?: number;
            /** @description Lines are sorted by this. Missing in carts that a device saved before the field existed. */
            addedAt?: components["schemas"]["Time"];
        };
        /**
         * @example {
         *       "cartId": "0b7e5d92-4f6a-4a83-8c1e-2d9f6b3a7c45",
         *       "cartItems": [
         *         {
         *           "id": "c4a9d1e7-2b35-5f68-9a04-7e1b8c3d6f52",
         *           "cartItemId": "c4a9d1e7-2b35-5f68-9a04-7e1b8c3d6f52",
         *           "productId": "9d2e7b14-6c8f-4e03-b5a1-3f7c9e0d2b68",
         *           "productName": "Domoda Peanut Base",
         *           "price": 9.5,
         *           "quantity": 2,
         *           "totalPrice": 19,
         *           "imageUrl": "/pictures/5e1f0c7a9b3d2846-640.webp",
         *           "currentPrice": 9.5,
         *           "available": true,
         *           "stock": 64,
         *           "notice": null
         *         }
         *       ],
         *       "totalAmount": 19
         *     }
         */
        Cart: {
            cartId: components["schemas"]["Uuid"];
            cartItems: components["schemas"]["CartItem"][];
            totalAmount: components["schemas"]["Money"];
        };
        CartAnswer: {
            message: components["schemas"]["Message"];
            data: {
                cartResponse: components["schemas"]["Cart"];
            };
        };
        /**
         * @example {
         *       "productId": "9d2e7b14-6c8f-4e03-b5a1-3f7c9e0d2b68",
         *       "quantity": 1
         *     }
         * @example {
         *       "productId": "9d2e7b14-6c8f-4e03-b5a1-3f7c9e0d2b68",
         *       "name": "Domoda Peanut Base",
         *       "price": 9.5,
         *       "quantity": 1,
         *       "image": null
         *     }
         */
        NewCartItem: {
            productId: components["schemas"]["Uuid"];
            /** @default 1 */
            quantity: number;
            /** @description Taken from the product; the sent value is ignored */
            name?: string;
            /** @description Taken from the product; the sent value is ignored */
            price?: number;
            /** @description Taken from the product; the sent value is ignored */
            image?: string | null;
            /** @description Restores a line at its old position: send its former `addedAt`. Ignored if the product is already in the cart. */
            addedAt?: components["schemas"]["Time"];
        };
        /**
         * @example {
         *       "cartItemId": "c4a9d1e7-2b35-5f68-9a04-7e1b8c3d6f52",
         *       "quantity": 3
         *     }
         */
        SetCartItemQuantity: {
            cartItemId: components["schemas"]["Uuid"];
            quantity: number;
        };
        /**
         * @example {
         *       "productId": "9d2e7b14-6c8f-4e03-b5a1-3f7c9e0d2b68",
         *       "change": -1
         *     }
         */
        ChangeCartItemQuantity: {
            productId: components["schemas"]["Uuid"];
            change: number;
            /** @description Derived from the user and the product; the sent value is ignored */
            cartItemId?: components["schemas"]["Uuid"];
        };
        CartItemUpdate: components["schemas"]["SetCartItemQuantity"] | components["schemas"]["ChangeCartItemQuantity"];
        CartItemAnswer: {
            message: components["schemas"]["Message"];
            data: {
                cartItem: components["schemas"]["CartItem"] | null;
            };
        };
        ListItem: {
            productId: components["schemas"]["Uuid"];
            par: number | null;
            /** @description null: not counted */
            onHand: number | null;
            /** Format: date-time */
            countedAt: string | null;
        };
        /**
         * @example {
         *       "id": "3f8b6c1d-7e24-4a95-b0c3-8d5e2f9a1b74",
         *       "name": "Pantry",
         *       "changedAt": "2026-03-14T09:26:53.589Z",
         *       "items": [
         *         {
         *           "productId": "9d2e7b14-6c8f-4e03-b5a1-3f7c9e0d2b68",
         *           "par": 6,
         *           "onHand": 2.5,
         *           "countedAt": "2026-03-14T09:26:53.589Z"
         *         }
         *       ]
         *     }
         */
        ProductList: {
            id: components["schemas"]["Uuid"];
            name: string;
            changedAt: components["schemas"]["Time"];
            items: components["schemas"]["ListItem"][];
        };
        ListsAnswer: {
            message: components["schemas"]["Message"];
            data: {
                lists: components["schemas"]["ProductList"][];
            };
        };
        /**
         * @example {
         *       "id": "3f8b6c1d-7e24-4a95-b0c3-8d5e2f9a1b74",
         *       "name": "Pantry"
         *     }
         */
        NewList: {
            /**
             * Format: uuid
             * @description Generated by the device, so that lists can be created while offline
             */
            id: string;
            name: string;
        };
        ListAnswer: {
            message: components["schemas"]["Message"];
            data: {
                list: components["schemas"]["ProductList"];
            };
        };
        /**
         * @example {
         *       "name": "Spice rack"
         *     }
         */
        ListName: {
            name: string;
        };
        /**
         * @example {
         *       "productIds": [
         *         "9d2e7b14-6c8f-4e03-b5a1-3f7c9e0d2b68"
         *       ]
         *     }
         */
        ListOrder: {
            /** @description From the first place on the shelf to the last */
            productIds: components["schemas"]["Uuid"][];
        };
        /**
         * @example {
         *       "onHand": 2.5,
         *       "countedAt": "2026-03-14T09:26:53.589Z"
         *     }
         * @example {
         *       "add": true,
         *       "par": 6
         *     }
         */
        ListItemFields: {
            /** @description Units that should be on the shelf; null: not set */
            par?: number | null;
            /** @description Counted units, with at most one decimal; null removes the count */
            onHand?: number | null;
            /**
             * Format: date-time
             * @description Time of the count by the device; a time later than the server's is set to the server's
             */
            countedAt?: string;
            /**
             * @description Adds the product to the list if it is missing
             * @constant
             */
            add?: true;
        };
        BatchedChange: {
            /**
             * Format: uuid
             * @description The Idempotency-Key of this change
             */
            key: string;
            /** @enum {string} */
            method: "PUT";
            /** @description Path of an operation with x-batched, relative to /api */
            path: string;
            body: components["schemas"]["ListItemFields"];
        };
        /**
         * @example {
         *       "changes": [
         *         {
         *           "key": "7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94",
         *           "method": "PUT",
         *           "path": "/public/lists/5b1e7a90-3c4d-4f28-9a6b-1d2e3f4a5b6c/3f8b6c1d-7e24-4a95-b0c3-8d5e2f9a1b74/items/9d2e7b14-6c8f-4e03-b5a1-3f7c9e0d2b68",
         *           "body": {
         *             "onHand": 2.5,
         *             "countedAt": "2026-03-14T09:26:53.589Z"
         *           }
         *         }
         *       ]
         *     }
         */
        Batch: {
            changes: components["schemas"]["BatchedChange"][];
        };
        /**
         * @description `answer` if the change was made, `problem` if it was rejected
         * @example {
         *       "status": 200,
         *       "answer": {
         *         "message": "Saved",
         *         "data": {
         *           "list": {
         *             "id": "3f8b6c1d-7e24-4a95-b0c3-8d5e2f9a1b74",
         *             "name": "Pantry",
         *             "changedAt": "2026-03-14T09:26:53.589Z",
         *             "items": [
         *               {
         *                 "productId": "9d2e7b14-6c8f-4e03-b5a1-3f7c9e0d2b68",
         *                 "par": 6,
         *                 "onHand": 2.5,
         *                 "countedAt": "2026-03-14T09:26:53.589Z"
         *               }
         *             ]
         *           }
         *         }
         *       }
         *     }
         * @example {
         *       "status": 404,
         *       "problem": {
         *         "type": "about:blank",
         *         "title": "Not Found",
         *         "status": 404,
         *         "detail": "This product was removed from the list",
         *         "message": "This product was removed from the list",
         *         "code": "list_item_not_found",
         *         "errors": [],
         *         "requestId": "req-1f"
         *       }
         *     }
         */
        ChangeAnswer: {
            status: number;
            answer?: components["schemas"]["ListAnswer"];
            problem?: components["schemas"]["Problem"];
        };
        BatchAnswer: {
            message: components["schemas"]["Message"];
            data: {
                answers: components["schemas"]["ChangeAnswer"][];
            };
        };
        /**
         * @example {
         *       "fullName": "Example Customer",
         *       "email": "customer@example.com",
         *       "phone": "404 555 0100",
         *       "reason": "Do you sell grains of Selim by the pound?"
         *     }
         */
        ContactMessage: {
            fullName?: string;
            email: string;
            phone?: string;
            /** @description The text of the message */
            reason: string;
            /** @description Hidden from people; only bots fill it in */
            website?: string;
        };
        /** @enum {string} */
        MessageState: "new" | "read" | "answered";
        /**
         * @example {
         *       "id": "3f5a9c1e-7b24-4d86-a0e3-6c8d2b4f9175",
         *       "fullName": "Example Customer",
         *       "email": "customer@example.com",
         *       "phone": "",
         *       "reason": "Do you sell grains of Selim by the pound?",
         *       "userId": null,
         *       "state": "new",
         *       "createdAt": "2026-03-02T10:00:00.000Z",
         *       "readAt": null,
         *       "answeredAt": null
         *     }
         */
        InboxMessage: {
            id: components["schemas"]["Uuid"];
            /** @description May be empty */
            fullName: string;
            email: string;
            /** @description May be empty */
            phone: string;
            /** @description The text of the message */
            reason: string;
            /**
             * Format: uuid
             * @description The signed-in user who wrote it
             */
            userId: string | null;
            state: components["schemas"]["MessageState"];
            createdAt: components["schemas"]["Time"];
            /** Format: date-time */
            readAt: string | null;
            /** Format: date-time */
            answeredAt: string | null;
        };
        Pageable: {
            /** @description From 0 */
            pageNumber: number;
            totalPages: number;
        };
        MessagePage: {
            content: components["schemas"]["InboxMessage"][];
            pageable: components["schemas"]["Pageable"];
            totalPages: number;
            totalElements: number;
        };
        MessagesAnswer: {
            message: components["schemas"]["Message"];
            data: {
                messages: components["schemas"]["MessagePage"];
            };
        };
        /**
         * @description not_sent: no mail server was configured, so the mail became a file
         * @enum {string}
         */
        MailState: "waiting" | "sent" | "not_sent" | "failed" | "cancelled";
        Reply: {
            id: components["schemas"]["Uuid"];
            text: string;
            /** @description Who wrote it */
            by: string;
            at: components["schemas"]["Time"];
            /** @description Delivery state of its mail */
            mailState: components["schemas"]["MailState"];
        };
        InboxMessageAnswer: {
            message: components["schemas"]["Message"];
            data: {
                contactMessage: components["schemas"]["InboxMessage"];
                /** @description Oldest first */
                replies: components["schemas"]["Reply"][];
            };
        };
        /**
         * @example {
         *       "state": "read"
         *     }
         */
        MessageStateChange: {
            state: components["schemas"]["MessageState"];
        };
        /**
         * @example {
         *       "text": "Yes, we do. Should we set aside a pound for you?"
         *     }
         */
        NewReply: {
            text: string;
        };
        /** @description Also used in the URL */
        CategoryName: string;
        /** @description Files are `${base}-${width}.avif` and `.webp` */
        Picture: {
            base: string;
            /** @description In pixels, smallest first */
            widths: number[];
            /** @description A CSS color to show until the picture has loaded */
            placeholder: string;
            alt: string;
            /** @description Only in the change feed: size of the file that a device saves for offline use (width 320), for each type */
            keptBytes?: {
                /** @description In bytes */
                avif: number;
                /** @description In bytes */
                webp: number;
            };
        };
        /**
         * @example {
         *       "id": "1e5f8c27-3a9b-4d60-8f12-6b4c7d9e0a35",
         *       "name": "savory",
         *       "title": "Savory & Seasoning",
         *       "description": "Blends, rubs, and pantry essentials.",
         *       "createdAt": "2026-03-14T09:26:53.589Z"
         *     }
         */
        Category: {
            id: components["schemas"]["Uuid"];
            name: components["schemas"]["CategoryName"];
            title: string | null;
            description: string;
            /** @description Lists of categories are sorted by createdAt, then id */
            createdAt: components["schemas"]["Time"];
            /** @description Picture of its newest product on sale; only in the list of categories */
            picture?: components["schemas"]["Picture"] | null;
        };
        /**
         * @example {
         *       "content": [
         *         {
         *           "id": "1e5f8c27-3a9b-4d60-8f12-6b4c7d9e0a35",
         *           "name": "savory",
         *           "title": "Savory & Seasoning",
         *           "description": "Blends, rubs, and pantry essentials.",
         *           "createdAt": "2026-03-14T09:26:53.589Z"
         *         }
         *       ],
         *       "pageable": {
         *         "pageNumber": 0,
         *         "totalPages": 1
         *       },
         *       "totalPages": 1,
         *       "totalElements": 1
         *     }
         */
        CategoryPage: {
            content: components["schemas"]["Category"][];
            pageable: components["schemas"]["Pageable"];
            totalPages: number;
            totalElements: number;
        };
        CategoriesAnswer: {
            message: components["schemas"]["Message"];
            data: {
                categories: components["schemas"]["CategoryPage"];
            };
        };
        /**
         * @example {
         *       "id": "1e5f8c27-3a9b-4d60-8f12-6b4c7d9e0a35",
         *       "name": "savory",
         *       "title": "Savory & Seasoning",
         *       "description": "Blends, rubs, and pantry essentials.",
         *       "createdAt": "2026-03-14T09:26:53.589Z",
         *       "products": 18,
         *       "archivedProducts": 0
         *     }
         */
        StaffCategory: {
            id: components["schemas"]["Uuid"];
            name: components["schemas"]["CategoryName"];
            title: string | null;
            description: string;
            createdAt: components["schemas"]["Time"];
            /** @description Number of products that are not archived */
            products: number;
            archivedProducts: number;
        };
        StaffCategoriesAnswer: {
            message: components["schemas"]["Message"];
            data: {
                categories: {
                    content: components["schemas"]["StaffCategory"][];
                    pageable: components["schemas"]["Pageable"];
                    totalPages: number;
                    totalElements: number;
                };
            };
        };
        /**
         * @description CSV (RFC 4180) in UTF-8, with column names in the first row
         * @example Order ID
         */
        Csv: string;
        /**
         * @example {
         *       "name": "savory",
         *       "description": "Blends, rubs, and pantry essentials.",
         *       "title": "Savory & Seasoning"
         *     }
         */
        NewCategory: {
            id?: components["schemas"]["Uuid"];
            name: components["schemas"]["CategoryName"];
            description: string;
            /** @description The displayed title; defaults to the name in words */
            title?: string | null;
        };
        CategoryAnswer: {
            message: components["schemas"]["Message"];
            data: {
                category: components["schemas"]["Category"];
            };
        };
        /**
         * @example {
         *       "name": "savory",
         *       "description": "Blends, rubs, and pantry essentials.",
         *       "title": "Savory & Seasoning"
         *     }
         */
        CategoryForm: {
            name: components["schemas"]["CategoryName"];
            description: string;
            /** @description The displayed title; defaults to the name in words */
            title?: string | null;
        };
        ProductCategory: {
            id: components["schemas"]["Uuid"];
            name: components["schemas"]["CategoryName"];
            title: string | null;
        };
        /**
         * @description The hash of the photo's content
         * @example 5e1f0c7a9b3d2846
         */
        PhotoId: string;
        /**
         * @description Its files are named like those of a Picture
         * @example {
         *       "id": "5e1f0c7a9b3d2846",
         *       "imageUrl": "/pictures/5e1f0c7a9b3d2846-640.webp",
         *       "base": "/pictures/5e1f0c7a9b3d2846",
         *       "widths": [
         *         160,
         *         320,
         *         640,
         *         1280
         *       ],
         *       "placeholder": "#b98a5a",
         *       "alt": "Domoda Peanut Base and its jar"
         *     }
         */
        Photo: {
            id: components["schemas"]["PhotoId"];
            /** @description The photo at 640 px */
            imageUrl: string;
            base: string;
            /** @description In pixels, smallest first */
            widths: number[];
            /** @description A CSS color to show until the photo has loaded */
            placeholder: string;
            /** @description Its description, or the name of the product */
            alt: string;
        };
        /**
         * @example {
         *       "id": "9d2e7b14-6c8f-4e03-b5a1-3f7c9e0d2b68",
         *       "name": "Domoda Peanut Base",
         *       "price": 9.5,
         *       "availability": true,
         *       "quantity": 64,
         *       "unitSize": "250 g",
         *       "netGrams": 250
         *     }
         */
        ProductSize: {
            id: components["schemas"]["Uuid"];
            name: string;
            price: components["schemas"]["Money"];
            /** @description The former price, above `price` */
            compareAtPrice?: number;
            /** @description Sold, and in stock */
            availability: boolean;
            quantity: number;
            unitSize: string | null;
            netGrams?: number;
            netMillilitres?: number;
            /** @description The end of its readable address */
            slug?: string;
        };
        /**
         * @description What a card shows of a product
         * @example {
         *       "id": "9d2e7b14-6c8f-4e03-b5a1-3f7c9e0d2b68",
         *       "name": "Domoda Peanut Base",
         *       "price": 9.5,
         *       "availability": true,
         *       "quantity": 64,
         *       "imageUrl": "/pictures/5e1f0c7a9b3d2846-640.webp",
         *       "picture": {
         *         "base": "/pictures/5e1f0c7a9b3d2846",
         *         "widths": [
         *           160,
         *           320,
         *           640
         *         ],
         *         "placeholder": "#b98a5a",
         *         "alt": "Coarse brown peanut base heaped in a calabash bowl"
         *       },
         *       "unitSize": "250 g",
         *       "netGrams": 250
         *     }
         */
        CardProduct: {
            id: components["schemas"]["Uuid"];
            name: string;
            price: components["schemas"]["Money"];
            /** @description The former price, above `price` */
            compareAtPrice?: number;
            /** @description Sold, and in stock */
            availability: boolean;
            quantity: number;
            /** @description The picture at 640 px */
            imageUrl: string | null;
            picture: components["schemas"]["Picture"] | null;
            unitSize: string | null;
            netGrams?: number;
            netMillilitres?: number;
        };
        /**
         * @description An optional fact that a product doesn't have is left out
         * @example {
         *       "id": "9d2e7b14-6c8f-4e03-b5a1-3f7c9e0d2b68",
         *       "name": "Domoda Peanut Base",
         *       "description": "Roasted peanuts, tomato, and gentle chili.",
         *       "price": 9.5,
         *       "availability": true,
         *       "quantity": 64,
         *       "imageUrl": "/pictures/5e1f0c7a9b3d2846-640.webp",
         *       "productCategory": {
         *         "id": "1e5f8c27-3a9b-4d60-8f12-6b4c7d9e0a35",
         *         "name": "savory",
         *         "title": "Savory & Seasoning"
         *       },
         *       "version": 3,
         *       "picture": {
         *         "base": "/pictures/5e1f0c7a9b3d2846",
         *         "widths": [
         *           160,
         *           320,
         *           640
         *         ],
         *         "placeholder": "#b98a5a",
         *         "alt": "Coarse brown peanut base heaped in a calabash bowl"
         *       },
         *       "unitSize": "250 g",
         *       "origin": "The Gambia",
         *       "heatLevel": 1,
         *       "allergens": [
         *         "peanut"
         *       ],
         *       "otherNames": [],
         *       "taxable": true,
         *       "createdAt": "2026-03-14T09:26:53.589Z",
         *       "archived": false
         *     }
         */
        Product: {
            id: components["schemas"]["Uuid"];
            name: string;
            description: string;
            price: components["schemas"]["Money"];
            /** @description Sold, and in stock */
            availability: boolean;
            quantity: number;
            /** @description The picture at 640 px */
            imageUrl: string | null;
            productCategory: components["schemas"]["ProductCategory"];
            /** @description Increases with every change except of the quantity */
            version: number;
            picture: components["schemas"]["Picture"] | null;
            /** @description All photos in their order, of a product with two or more. The first is `picture`. Not in lists of products */
            photos?: components["schemas"]["Photo"][];
            unitSize: string | null;
            origin: string | null;
            heatLevel: number | null;
            allergens: string[];
            otherNames: string[];
            /** @description Whether sales tax applies */
            taxable: boolean;
            /** @description The former price, above `price` */
            compareAtPrice?: number;
            netGrams?: number;
            netMillilitres?: number;
            sku?: string;
            /** @description A GTIN */
            barcode?: string;
            /** @enum {string} */
            form?: "whole" | "ground" | "blend" | "paste" | "liquid" | "leaf";
            /** @description A month: 2028-05 */
            bestBefore?: string;
            ingredients?: string;
            pageTitle?: string;
            /** @description Its page is also at /p/{slug} */
            slug?: string;
            /** @description The order `featured` is by createdAt, then id */
            createdAt: components["schemas"]["Time"];
            /** @description No longer sold; kept for orders and old links */
            archived: boolean;
            /** @description Its place among the bestsellers, counted every night; only if it is one of the first 100 */
            bestsellerRank?: number;
            /**
             * Format: uuid
             * @description Products on sale with the same group are sizes of one another
             */
            sizeGroup?: string;
            /** @description Only in getProduct and in lists with `sizes=grouped`, if other sizes are on sale: all sizes, this one too; by net amount, then price. Sizes without a net amount come last */
            sizes?: components["schemas"]["ProductSize"][];
            /** @description Only in getProduct and getProductBySlug: products that are often ordered with it, then others of its category. Missing if there are none */
            goesWellWith?: components["schemas"]["CardProduct"][];
        };
        /**
         * @example {
         *       "content": [],
         *       "pageable": {
         *         "pageNumber": 0,
         *         "totalPages": 0
         *       },
         *       "totalPages": 0,
         *       "totalElements": 0
         *     }
         */
        ProductPage: {
            content: components["schemas"]["Product"][];
            pageable: components["schemas"]["Pageable"];
            totalPages: number;
            totalElements: number;
        };
        ProductsAnswer: {
            message: components["schemas"]["Message"];
            data: {
                products: components["schemas"]["ProductPage"];
            };
        };
        ProductAnswer: {
            message: components["schemas"]["Message"];
            data: {
                product: components["schemas"]["Product"];
            };
        };
        /**
         * @description Filter options of the whole category, regardless of the filter sent
         * @example {
         *       "heatLevels": [
         *         0,
         *         1,
         *         2
         *       ],
         *       "origins": [
         *         "Senegal",
         *         "The Gambia"
         *       ],
         *       "allergens": [
         *         "fish",
         *         "peanut"
         *       ],
         *       "forms": [
         *         "ground",
         *         "whole"
         *       ],
         *       "onSale": true
         *     }
         */
        Facets: {
            heatLevels: number[];
            origins: string[];
            allergens: string[];
            /** @description Missing if no product has one */
            forms?: ("whole" | "ground" | "blend" | "paste" | "liquid" | "leaf")[];
            /** @description Whether a product has a former price; missing if none has */
            onSale?: boolean;
        };
        /**
         * @description How many products pass the filter sent, and how many each value would leave with the other filters as sent: of heats, origins, and forms the products with the value, of allergens those that pass when it is left out too
         * @example {
         *       "products": 12,
         *       "heatLevels": [
         *         7,
         *         5,
         *         3
         *       ],
         *       "origins": [
         *         2,
         *         5
         *       ],
         *       "allergens": [
         *         11,
         *         11
         *       ],
         *       "forms": [
         *         9,
         *         3
         *       ],
         *       "onSale": 2,
         *       "inStock": 11
         *     }
         */
        FilterCounts: {
            products: number;
            /** @description In the order of the facets */
            heatLevels: number[];
            /** @description In the order of the facets */
            origins: number[];
            /** @description In the order of the facets */
            allergens: number[];
            /** @description In the order of the facets */
            forms?: number[];
            onSale?: number;
            inStock: number;
        };
        CategoryProductsAnswer: {
            message: components["schemas"]["Message"];
            data: {
                products: components["schemas"]["ProductPage"];
                category?: components["schemas"]["ProductCategory"];
                facets?: components["schemas"]["Facets"];
                counts?: components["schemas"]["FilterCounts"];
            };
        };
        PageVersion: {
            slug: string;
            changedAt: components["schemas"]["Time"];
        };
        /**
         * @example {
         *       "next": 118,
         *       "more": false,
         *       "startOver": false,
         *       "categories": [],
         *       "products": [],
         *       "removedCategoryIds": []
         *     }
         */
        CatalogChanges: {
            /** @description The position to continue from */
            next: number;
            /** @description More changes can be fetched immediately */
            more: boolean;
            /** @description True in the first part of the whole catalog: the device must delete everything that is neither in this response nor in the following ones while `more` is true */
            startOver: boolean;
            /** @description A changed name or title also applies to the category's products, which are not sent again for it */
            categories: components["schemas"]["Category"][];
            /** @description Including archived ones */
            products: components["schemas"]["Product"][];
            removedCategoryIds: components["schemas"]["Uuid"][];
            /** @description All published pages. A device reads them again when it has others */
            pages?: components["schemas"]["PageVersion"][];
        };
        CatalogChangesAnswer: {
            message: components["schemas"]["Message"];
            data: {
                changes: components["schemas"]["CatalogChanges"];
            };
        };
        /** @description The version when the form was opened */
        version: number;
        /** @description US dollars as text, to avoid rounding */
        price: string;
        /** @description The former price, above `price`, in US dollars as text; shown struck through */
        compareAtPrice: string;
        unitSize: string;
        /** @description The net weight */
        netGrams: number | null;
        /** @description The net volume of what is not sold by weight */
        netMillilitres: number | null;
        /** @description Printable ASCII; unique ignoring case among products on sale */
        sku: string;
        /** @description GTIN with 8, 12, 13, or 14 digits */
        barcode: string;
        /** @description The weight when packed */
        shippingGrams: number | null;
        quantity: number;
        /** @description The quantity when the form was opened */
        quantityWas: number;
        /** @description Why the quantity changes; otherwise "Edited product" */
        stockReason: string;
        /**
         * @description What differs between the sizes of a product. Without an id it's a new size, which takes over all other fields and the photos of the product, and needs a price and a quantity. A field that is not sent stays as it is.
         * @example {
         *       "id": "9d2e7b14-6c8f-4e03-b5a1-3f7c9e0d2b68",
         *       "version": 4,
         *       "price": "25.50",
         *       "quantity": 18,
         *       "quantityWas": 20
         *     }
         */
        SizeForm: {
            id?: components["schemas"]["Uuid"];
            version?: components["schemas"]["version"];
            price?: components["schemas"]["price"];
            compareAtPrice?: components["schemas"]["compareAtPrice"];
            unitSize?: components["schemas"]["unitSize"];
            netGrams?: components["schemas"]["netGrams"];
            netMillilitres?: components["schemas"]["netMillilitres"];
            sku?: components["schemas"]["sku"];
            barcode?: components["schemas"]["barcode"];
            shippingGrams?: components["schemas"]["shippingGrams"];
            quantity?: components["schemas"]["quantity"];
            quantityWas?: components["schemas"]["quantityWas"];
            stockReason?: components["schemas"]["stockReason"];
        };
        /**
         * @example {
         *       "name": "Domoda Peanut Base",
         *       "description": "Roasted peanuts, tomato, and gentle chili.",
         *       "price": "9.50",
         *       "availability": true,
         *       "quantity": 64,
         *       "category": "savory",
         *       "unitSize": "250 g",
         *       "origin": "The Gambia",
         *       "heatLevel": 1,
         *       "allergens": [
         *         "peanut"
         *       ]
         *     }
         */
        ProductForm: {
            name: string;
            description: string;
            /** @description US dollars as text, to avoid rounding */
            price: string;
            /** @description Whether it is offered; to be sold it must also be in stock */
            availability: boolean;
            quantity: number;
            /** @description Id or name */
            category: string;
            /** @description A picture: at most 10 MB and 40 megapixels, no SVG. An empty file without a name means that none was chosen. */
            file?: unknown;
            unitSize?: string;
            origin?: string;
            heatLevel?: number | null;
            /** @description Unit cost of the shop, in US dollars as text; visible to staff only */
            unitCost?: string;
            /** @description Repeated, or one comma-separated list */
            allergens?: string[];
            /** @description Repeated, or one comma-separated list */
            otherNames?: string[];
            /** @description Whether sales tax applies; true for a new product */
            taxable?: boolean;
            /** @description The former price, above `price`, in US dollars as text; shown struck through */
            compareAtPrice?: string;
            /** @description The net weight */
            netGrams?: number | null;
            /** @description The net volume of what is not sold by weight */
            netMillilitres?: number | null;
            /** @description Printable ASCII; unique ignoring case among products on sale */
            sku?: string;
            /** @description GTIN with 8, 12, 13, or 14 digits */
            barcode?: string;
            /** @description The weight when packed */
            shippingGrams?: number | null;
            /** @enum {string} */
            form?: "" | "whole" | "ground" | "blend" | "paste" | "liquid" | "leaf";
            /** @description The month of the present lot */
            bestBefore?: string;
            ingredients?: string;
            /** @description Visible to staff only */
            supplier?: string;
            /** @description Visible to staff only. Repeated, or one comma-separated list */
            tags?: string[];
            /** @description Its place in the store room; visible to staff only */
            shelf?: string;
            /** @description The title of its page in search results */
            pageTitle?: string;
            /** @description The end of its readable address, /p/{slug}; sent empty, it is made from the name */
            slug?: string;
            /** @description The quantity when the form was opened */
            quantityWas?: number;
            /** @description The version when the form was opened */
            version?: number;
            /** @description Why the quantity changes; otherwise "Edited product" */
            stockReason?: string;
            /** @description The further sizes of the product that are new or changed, as one part of JSON */
            sizes?: components["schemas"]["SizeForm"][];
            /** @description Further sizes to archive */
            removedSizes?: components["schemas"]["Uuid"][];
        };
        /**
         * @example {
         *       "id": "0b7e4a52-9c1d-4f68-a3e5-2d8c6b1f7094",
         *       "state": "processing",
         *       "message": "Processing your photo",
         *       "createdAt": "2026-03-14T09:26:53.589Z"
         *     }
         */
        PictureUpload: {
            id: components["schemas"]["Uuid"];
            /** @enum {string} */
            state: "processing" | "failed";
            /** @description A message to show */
            message: string;
            createdAt: components["schemas"]["Time"];
        };
        /**
         * @example {
         *       "id": "5e1f0c7a9b3d2846",
         *       "state": "ready",
         *       "imageUrl": "/pictures/5e1f0c7a9b3d2846-640.webp",
         *       "alt": "Domoda Peanut Base and its jar"
         *     }
         */
        StaffPhoto: {
            id: components["schemas"]["PhotoId"];
            /** @enum {string} */
            state: "ready" | "processing" | "failed";
            /** @description A message to show while it is not ready */
            message?: string;
            /** @description The photo at 640 px once it is ready */
            imageUrl: string | null;
            /** @description Its description; null if none was entered */
            alt: string | null;
        };
        /**
         * Format: uuid
         * @description Products on sale with the same group are sizes of one another
         */
        sizeGroup: string;
        /**
         * @example {
         *       "id": "9d2e7b14-6c8f-4e03-b5a1-3f7c9e0d2b68",
         *       "version": 4,
         *       "name": "Domoda Peanut Base",
         *       "price": 9.5,
         *       "availability": true,
         *       "quantity": 64,
         *       "unitSize": "250 g",
         *       "netGrams": 250,
         *       "archived": false
         *     }
         */
        StaffSize: {
            id: components["schemas"]["Uuid"];
            version: number;
            name: string;
            price: components["schemas"]["Money"];
            compareAtPrice?: number;
            /** @description Whether customers can buy it: the flag is set and it is in stock */
            availability: boolean;
            quantity: number;
            unitSize: string | null;
            netGrams?: number;
            netMillilitres?: number;
            sku?: string;
            /** @description A GTIN */
            barcode?: string;
            shippingGrams?: number;
            archived: boolean;
        };
        StaffProduct: {
            id: components["schemas"]["Uuid"];
            name: string;
            description: string;
            price: components["schemas"]["Money"];
            /** @description Unit cost of the shop, in US dollars */
            unitCost: number | null;
            /** @description Whether customers can buy it: the flag is set and it is in stock */
            availability: boolean;
            /** @description The flag set by staff, regardless of stock */
            availabilityFlag: boolean;
            /** @description Units on the shelf, without those held by open orders */
            quantity: number;
            /** @description The picture at 640 px */
            imageUrl: string | null;
            productCategory: components["schemas"]["ProductCategory"];
            /** @description Increases with every change except of the quantity */
            version: number;
            picture: components["schemas"]["Picture"] | null;
            /** @description The last upload for the first photo, while it is being processed or if it failed */
            pictureUpload: components["schemas"]["PictureUpload"] | null;
            /** @description All photos in their order, including added ones that are being processed or have failed. The first one that is ready is `picture` */
            photos: components["schemas"]["StaffPhoto"][];
            unitSize: string | null;
            origin: string | null;
            heatLevel: number | null;
            allergens: string[];
            otherNames: string[];
            /** @description Whether sales tax applies */
            taxable: boolean;
            /** @description The former price, above `price` */
            compareAtPrice?: number;
            netGrams?: number;
            netMillilitres?: number;
            sku?: string;
            /** @description A GTIN */
            barcode?: string;
            /** @enum {string} */
            form?: "whole" | "ground" | "blend" | "paste" | "liquid" | "leaf";
            /** @description A month: 2028-05 */
            bestBefore?: string;
            ingredients?: string;
            pageTitle?: string;
            slug?: string;
            shippingGrams?: number;
            supplier?: string;
            tags?: string[];
            shelf?: string;
            createdAt: components["schemas"]["Time"];
            /**
             * Format: date-time
             * @description When it was archived
             */
            archivedAt: string | null;
            sizeGroup?: components["schemas"]["sizeGroup"];
            /** @description Only in getProductForStaff and setSizeOf, if the group has other products: all its products, archived ones too, in the order of the public sizes */
            sizes?: components["schemas"]["StaffSize"][];
        };
        StaffProductsAnswer: {
            message: components["schemas"]["Message"];
            data: {
                products: {
                    content: components["schemas"]["StaffProduct"][];
                    pageable: components["schemas"]["Pageable"];
                    totalPages: number;
                    totalElements: number;
                };
                /** @description The threshold used for lowStock */
                lowStockThreshold: number;
            };
        };
        /**
         * @example {
         *       "value": "Gambia Spice Co.",
         *       "products": 12
         *     }
         */
        ProductFilterValue: {
            value: string;
            /** @description How many products have it */
            products: number;
        };
        ProductFiltersAnswer: {
            message: components["schemas"]["Message"];
            data: {
                suppliers: components["schemas"]["ProductFilterValue"][];
                tags: components["schemas"]["ProductFilterValue"][];
            };
        };
        ProductImport: {
            /** @description UTF-8, at most 2 MB and 1,000 rows */
            file: unknown;
            /** @example false */
            apply: boolean;
            /**
             * @description Allows a file that was imported before
             * @example true
             */
            again?: boolean;
        };
        /**
         * @example {
         *       "field": "price",
         *       "from": "9.50",
         *       "to": "9.75"
         *     }
         */
        ProductImportChange: {
            field: string;
            /** @description Empty for a new product */
            from: string;
            to: string;
        };
        /**
         * @example {
         *       "field": "price",
         *       "message": "Please enter a price such as 4.50",
         *       "cell": "D7"
         *     }
         */
        ProductImportError: {
            /** @description Name of the column */
            field: string;
            message: string;
            /** @description The cell in a spreadsheet, if the file has the column */
            cell?: string;
        };
        /**
         * @example {
         *       "line": 2,
         *       "action": "change",
         *       "id": "9d2e7b14-6c8f-4e03-b5a1-3f7c9e0d2b68",
         *       "name": "Domoda Peanut Base",
         *       "changes": [
         *         {
         *           "field": "price",
         *           "from": "9.50",
         *           "to": "9.75"
         *         }
         *       ],
         *       "errors": []
         *     }
         */
        ProductImportRow: {
            /** @description The line of the file where the row starts */
            line: number;
            /** @enum {string} */
            action: "create" | "change" | "nothing" | "refuse";
            /** @description The product's id; null for a new product */
            id: string | null;
            name: string;
            changes: components["schemas"]["ProductImportChange"][];
            errors: components["schemas"]["ProductImportError"][];
        };
        ProductImportResult: {
            applied: boolean;
            /**
             * Format: date-time
             * @description When the same file was imported before
             */
            importedAt?: string;
            created: number;
            changed: number;
            unchanged: number;
            /** @description Rows with errors; if there are any, nothing can be applied */
            refused: number;
            rows: components["schemas"]["ProductImportRow"][];
        };
        ProductImportAnswer: {
            message: components["schemas"]["Message"];
            data: {
                productImport: components["schemas"]["ProductImportResult"];
            };
        };
        ImportColumn: {
            /** @description As in the file */
            name: string;
            /** @description The field it fills: a column of the shop's own CSV, or `photos` or `oldAddress`, or a part of a Shopify or WooCommerce export, such as `handle`. Null: the column is left out */
            field: string | null;
            /** @description Its first value that is not empty */
            sample: string;
        };
        /** @description Products by what the import does. Each size counts as one */
        ImportCounts: {
            new: number;
            changed: number;
            unchanged: number;
            wrong: number;
        };
        /**
         * @example {
         *       "line": 9,
         *       "name": "Yassa Gift Box",
         *       "column": "Variant Price",
         *       "cell": "U9",
         *       "message": "Enter a price, such as 4.50"
         *     }
         */
        ImportProblem: {
            line: number;
            /** @description The product's name */
            name: string;
            /** @description Its name in the file, else the name of the field */
            column: string;
            /** @description The cell's name in a spreadsheet, such as C7 */
            cell?: string;
            message: string;
        };
        /**
         * @description Photos from links, once the import was started. Only in getImport, runImport and undoImport
         * @example {
         *       "waiting": 248,
         *       "done": 140,
         *       "failed": 0,
         *       "problems": []
         *     }
         */
        ImportPhotos: {
            waiting: number;
            done: number;
            failed: number;
            /** @description The first 200 photos that couldn't be loaded */
            problems: {
                productId: components["schemas"]["Uuid"];
                line: number | null;
                url: string;
                message: string;
            }[];
        };
        /**
         * @example {
         *       "id": "4b1e7c20-93d5-4a8f-b6e1-0c5d2f7a9e34",
         *       "state": "previewed",
         *       "source": "shopify",
         *       "fileName": "products_export.csv",
         *       "columns": [
         *         {
         *           "name": "Title",
         *           "field": "name",
         *           "sample": "Afra Grill Rub"
         *         }
         *       ],
         *       "rows": {
         *         "new": 188,
         *         "changed": 20,
         *         "unchanged": 4,
         *         "wrong": 2
         *       },
         *       "problems": [
         *         {
         *           "line": 9,
         *           "name": "Yassa Gift Box",
         *           "column": "Variant Price",
         *           "message": "Enter a price, such as 4.50"
         *         }
         *       ],
         *       "newCategories": [
         *         "Gift Boxes"
         *       ],
         *       "progress": {
         *         "done": 0,
         *         "of": 208
         *       },
         *       "kept": [],
         *       "createdAt": "2026-03-14T09:26:53.589Z",
         *       "createdBy": "Isatou Jallow",
         *       "finishedAt": null,
         *       "undoableUntil": null
         *     }
         */
        Import: {
            id: components["schemas"]["Uuid"];
            /**
             * @description `mapping`: the columns need a field each. `failed`: not one row could be imported
             * @enum {string}
             */
            state: "mapping" | "previewed" | "running" | "done" | "failed" | "undoing" | "undone";
            /**
             * @description Recognized by the column names
             * @enum {string}
             */
            source: "shop" | "shopify" | "woocommerce" | "other";
            fileName: string | null;
            /** @description The columns of the file in their order */
            columns: components["schemas"]["ImportColumn"][];
            rows: components["schemas"]["ImportCounts"];
            /** @description The first 200 errors in the order of the file. Empty in listImports */
            problems: components["schemas"]["ImportProblem"][];
            /** @description Titles of categories that the import creates */
            newCategories: string[];
            /** @description Rows that the job has finished, and all that it has to do */
            progress: {
                done: number;
                of: number;
            };
            photos?: components["schemas"]["ImportPhotos"];
            /** @description After Undo, the first 200 fields that did not go back, because someone changed them since */
            kept: components["schemas"]["ImportProblem"][];
            createdAt: components["schemas"]["Time"];
            /** @description Full name of who sent the file */
            createdBy: string | null;
            /** Format: date-time */
            finishedAt: string | null;
            /**
             * Format: date-time
             * @description Null: it cannot be undone
             */
            undoableUntil: string | null;
        };
        ImportsAnswer: {
            message: components["schemas"]["Message"];
            data: {
                imports: {
                    content: components["schemas"]["Import"][];
                    pageable: components["schemas"]["Pageable"];
                    totalPages: number;
                    totalElements: number;
                };
            };
        };
        NewImport: {
            /** @description At most 20 MB and 10,000 rows; with the columns of the shop's own CSV 100 MB and 110,000 rows */
            file: unknown;
            /** @example products_export.csv */
            fileName?: string;
            /**
             * @description A JSON object with the field of each column, by the column's name in the file. An empty text leaves the column out. Columns that it does not name keep their field. Of columns with the same name, the second is called `Image (2)`.
             * @example {"Item":"name","Cost":"unitCost","Notes":""}
             */
            mapping?: string;
        };
        ImportAnswer: {
            message: components["schemas"]["Message"];
            data: {
                import: components["schemas"]["Import"];
            };
        };
        /**
         * @description Whether the row creates a product, changes one, changes nothing, or cannot be imported
         * @enum {string}
         */
        ImportAction: "new" | "changed" | "unchanged" | "wrong";
        /**
         * @example {
         *       "line": 7,
         *       "productId": "9d2e7b14-6c8f-4e03-b5a1-3f7c9e0d2b68",
         *       "name": "Cumin Seeds",
         *       "unitSize": "60 g",
         *       "action": "changed",
         *       "state": "waiting",
         *       "changes": [
         *         {
         *           "field": "price",
         *           "from": "4.95",
         *           "to": "5.25"
         *         }
         *       ],
         *       "problems": [],
         *       "notes": [],
         *       "photos": 0
         *     }
         */
        ImportRow: {
            /** @description Its first line in the file */
            line: number;
            /**
             * Format: uuid
             * @description The product that it changes or has created
             */
            productId: string | null;
            name: string;
            unitSize: string;
            action: components["schemas"]["ImportAction"];
            /** @enum {string} */
            state: "waiting" | "done" | "undone";
            changes: components["schemas"]["ProductImportChange"][];
            problems: components["schemas"]["ImportProblem"][];
            /** @description What the import leaves out or does differently */
            notes: string[];
            /** @description Photos that are fetched after the product was created */
            photos: number;
        };
        ImportRowsAnswer: {
            message: components["schemas"]["Message"];
            data: {
                rows: {
                    content: components["schemas"]["ImportRow"][];
                    pageable: components["schemas"]["Pageable"];
                    totalPages: number;
                    totalElements: number;
                };
            };
        };
        /**
         * @example {
         *       "onlyRight": true
         *     }
         */
        ImportRun: {
            /** @description Leaves wrong rows out instead of importing nothing */
            onlyRight?: boolean;
        };
        /**
         * @example {
         *       "ids": [
         *         "9d2e7b14-6c8f-4e03-b5a1-3f7c9e0d2b68"
         *       ],
         *       "change": "archive"
         *     }
         */
        ProductsChange: {
            ids: components["schemas"]["Uuid"][];
            /** @enum {string} */
            change: "archive" | "restore" | "makeAvailable" | "makeNotAvailable";
        };
        ProductsChangeAnswer: {
            message: components["schemas"]["Message"];
            data: {
                /**
                 * @example [
                 *       "019a3f60-1c7e-7b11-8c2d-0a5f3f6f2a10"
                 *     ]
                 */
                changedIds: components["schemas"]["Uuid"][];
            };
        };
        StaffProductAnswer: {
            message: components["schemas"]["Message"];
            data: {
                product: components["schemas"]["StaffProduct"];
            };
        };
        /**
         * @example {
         *       "sizeOf": "0b7e4a52-9c1d-4f68-a3e5-2d8c6b1f7094",
         *       "move": false
         *     }
         */
        SizeOf: {
            /** @description A product of the group to join; null leaves the group */
            sizeOf: components["schemas"]["Uuid"] | null;
            /** @description Allows a product to leave the other products of its group */
            move?: boolean;
        };
        PictureForm: {
            /** @example pepper.jpg */
            file: unknown;
        };
        /**
         * @example {
         *       "photos": [
         *         {
         *           "id": "5e1f0c7a9b3d2846",
         *           "alt": "Domoda Peanut Base and its jar"
         *         }
         *       ]
         *     }
         */
        PhotoOrder: {
            photos: {
                id: components["schemas"]["PhotoId"];
                /** @description Its description */
                alt?: string | null;
            }[];
        };
        PhotoForm: {
            /** @example pepper.jpg */
            file: unknown;
            /**
             * @description Its description
             * @example The label of the jar
             */
            alt?: string;
        };
        /**
         * @example {
         *       "id": 118,
         *       "kind": "adjustment",
         *       "shelf": -2,
         *       "held": 0,
         *       "quantityAfter": 62,
         *       "orderId": null,
         *       "orderNumber": null,
         *       "by": "Isatou Jallow",
         *       "reason": "Two jars broke",
         *       "at": "2026-03-14T09:26:53.589Z"
         *     }
         */
        StockMovement: {
            id: number;
            /** @enum {string} */
            kind: "hold" | "sale" | "release" | "adjustment";
            /** @description Change of the units on the shelf */
            shelf: number;
            /** @description Change of the units held by open orders */
            held: number;
            /** @description Units on the shelf afterwards */
            quantityAfter: number;
            /** Format: uuid */
            orderId: string | null;
            orderNumber: string | null;
            /** @description The person who booked it manually */
            by: string | null;
            reason: string | null;
            at: components["schemas"]["Time"];
        };
        StockMovementsAnswer: {
            message: components["schemas"]["Message"];
            data: {
                movements: {
                    content: components["schemas"]["StockMovement"][];
                    pageable: components["schemas"]["Pageable"];
                    totalPages: number;
                    totalElements: number;
                };
                /** @description Units on the shelf now */
                quantity: number;
                /** @description Additional units held by open orders */
                held: number;
            };
        };
        /**
         * @example {
         *       "change": -2,
         *       "reason": "Two jars broke"
         *     }
         * @example {
         *       "counted": 62,
         *       "quantityWas": 64,
         *       "reason": "Inventory count"
         *     }
         */
        StockAdjustment: {
            /** @description Above 0: added; below 0: removed */
            change: number;
            reason: string;
        } | {
            /** @description Units counted on the shelf */
            counted: number;
            /** @description The quantity shown when counting */
            quantityWas: number;
            reason: string;
        };
        StockAdjustmentAnswer: {
            message: components["schemas"]["Message"];
            data: {
                /** @example 12 */
                quantity: number;
            };
        };
        /**
         * @example {
         *       "fullName": "Example Customer",
         *       "email": "customer@example.com",
         *       "description": "Cooks domoda on Sundays"
         *     }
         */
        ProfileUpdate: {
            fullName: string;
            email: string;
            description: string | null;
            phoneNumber?: string | null;
            /** @description Date of birth, 1990-12-31 */
            dob?: string | null;
            /** @description The current password; required for a new email address */
            password?: string;
            /** @description One-time or recovery code; required for a new email address if the second factor is on */
            otp?: string;
        };
        OwnPictureForm: {
            /** @example awa.jpg */
            file: unknown;
        };
        /**
         * @example {
         *       "currentPassword": "pepper and salt 1",
         *       "password": "cloves and mace 2",
         *       "confirmPassword": "cloves and mace 2"
         *     }
         */
        PasswordChange: {
            /** @description The current password */
            currentPassword: string;
            /** @description The new password */
            password: string;
            confirmPassword: string;
        };
        /**
         * @example {
         *       "id": "0b6f2f0c-3c1e-4f2b-9d55-1c7a8e4b6d21",
         *       "device": "Firefox on Linux",
         *       "createdAt": "2026-03-02T09:30:00.000Z",
         *       "lastUsedAt": "2026-03-03T18:05:00.000Z",
         *       "isCurrent": true,
         *       "isBound": true
         *     }
         */
        OwnSession: {
            id: components["schemas"]["Uuid"];
            /** @description Browser and system in a few words; empty if unknown */
            device: string;
            /** @description Login time */
            createdAt: components["schemas"]["Time"];
            /** @description Time of the last token refresh */
            lastUsedAt: components["schemas"]["Time"];
            /** @description The session of this request */
            isCurrent: boolean;
            /** @description Whether the session requires a proof of its device's key */
            isBound: boolean;
        };
        SessionsAnswer: {
            message: components["schemas"]["Message"];
            data: {
                sessions: components["schemas"]["OwnSession"][];
            };
        };
        /**
         * @example {
         *       "street": "12 Market Street",
         *       "city": "Atlanta",
         *       "state": "GA",
         *       "postalCode": "30303"
         *     }
         */
        AddressForm: {
            street: string;
            city: string;
            state: string;
            postalCode: string;
            /** @description Apartment, suite, or floor */
            street2?: string;
            company?: string;
            /** @description For the carrier */
            phone?: string;
        };
        /**
         * @example {
         *       "content": [],
         *       "pageable": {
         *         "pageNumber": 0,
         *         "totalPages": 0
         *       },
         *       "totalPages": 0,
         *       "totalElements": 0
         *     }
         */
        UserPage: {
            content: components["schemas"]["User"][];
            pageable: components["schemas"]["Pageable"];
            totalPages: number;
            totalElements: number;
        };
        UsersAnswer: {
            message: components["schemas"]["Message"];
            data: {
                users: components["schemas"]["UserPage"];
            };
        };
        /**
         * @description ROLE_USER is an alias of ROLE_CUSTOMER, and stored as such
         * @enum {string}
         */
        AssignableRole: "ROLE_ADMIN" | "ROLE_CUSTOMER" | "ROLE_USER";
        /**
         * @example {
         *       "fullName": "Example Admin",
         *       "email": "admin@example.com",
         *       "password": "twelve or more 3",
         *       "confirmPassword": "twelve or more 3",
         *       "street": "12 Market Street",
         *       "city": "Atlanta",
         *       "state": "GA",
         *       "postalCode": "30303",
         *       "role": "ROLE_ADMIN"
         *     }
         */
        NewUser: {
            fullName: string;
            email: string;
            password: string;
            confirmPassword: string;
            street: string;
            city: string;
            state: string;
            postalCode: string;
            role: components["schemas"]["AssignableRole"];
        };
        /**
         * @example {
         *       "fullName": "Example Admin",
         *       "email": "admin@example.com",
         *       "role": "ROLE_ADMIN"
         *     }
         */
        NewInvitation: {
            fullName: string;
            email: string;
            /** @enum {string} */
            role: "ROLE_ADMIN";
        };
        /**
         * @example {
         *       "value": "supper club",
         *       "customers": 12
         *     }
         */
        CustomerTag: {
            value: string;
            /** @description How many have it */
            customers: number;
        };
        CustomerTagsAnswer: {
            message: components["schemas"]["Message"];
            data: {
                tags: components["schemas"]["CustomerTag"][];
            };
        };
        CustomerNote: {
            id: components["schemas"]["Uuid"];
            text: string;
            /** @description Full name of its author */
            by: string;
            at: components["schemas"]["Time"];
        };
        /**
         * @example {
         *       "orders": 7,
         *       "toShip": 1,
         *       "spent": 412.3,
         *       "firstOrderAt": "2026-05-02T09:30:00.000Z",
         *       "lastOrderAt": "2026-11-28T15:42:00.000Z",
         *       "tags": [
         *         "no peanuts",
         *         "supper club"
         *       ],
         *       "notes": []
         *     }
         */
        CustomerSummary: {
            /** @description Paid orders, refunded ones included */
            orders: number;
            /** @description Orders with something left to ship */
            toShip: number;
            /** @description Paid less refunded */
            spent: components["schemas"]["Money"];
            /** @description When the first paid order was placed; null without one */
            firstOrderAt: components["schemas"]["Time"] | null;
            /** @description When the latest paid order was placed; null without one */
            lastOrderAt: components["schemas"]["Time"] | null;
            /** @description In alphabetical order */
            tags: string[];
            /** @description Newest first */
            notes: components["schemas"]["CustomerNote"][];
        };
        CustomerSummaryAnswer: {
            message: components["schemas"]["Message"];
            data: {
                summary: components["schemas"]["CustomerSummary"];
            };
        };
        /**
         * @example {
         *       "text": "Runs a supper club"
         *     }
         */
        NewCustomerNote: {
            text: string;
        };
        /**
         * @example {
         *       "tags": [
         *         "supper club",
         *         "no peanuts"
         *       ],
         *       "seen": [
         *         "supper club"
         *       ]
         *     }
         */
        NewCustomerTags: {
            tags: string[];
            /** @description The tags before the change; without it, `tags` replaces all */
            seen?: string[];
        };
        EndedSessionsAnswer: {
            message: components["schemas"]["Message"];
            data: {
                /** @example 2 */
                ended: number;
            };
        };
        /**
         * @example {
         *       "userId": "6f1c2a34-8b1d-4c57-9e21-5a0b3c7d9e10",
         *       "fullName": "Example Admin"
         *     }
         */
        NamedUser: {
            userId: components["schemas"]["Uuid"];
            fullName: string;
        };
        Promotion: {
            user: components["schemas"]["User"];
            by: components["schemas"]["NamedUser"];
            /** @description When it was made an admin */
            at: components["schemas"]["Time"];
        };
        PromotionsAnswer: {
            message: components["schemas"]["Message"];
            data: {
                by: components["schemas"]["NamedUser"];
                promotions: {
                    content: components["schemas"]["Promotion"][];
                    pageable: components["schemas"]["Pageable"];
                    totalPages: number;
                    totalElements: number;
                };
            };
        };
        /**
         * @example {
         *       "newOrder": "each",
         *       "lowStock": true,
         *       "newMessage": false
         *     }
         */
        StaffMails: {
            /**
             * @description each: an email for each paid order; daily: one at 8:00 in the shop's time zone
             * @enum {string}
             */
            newOrder: "off" | "each" | "daily";
            /** @description One email a day, at 8:00, while products are low on stock */
            lowStock: boolean;
            /** @description An email for each message from the contact form */
            newMessage: boolean;
        };
        StaffMailsAnswer: {
            message: components["schemas"]["Message"];
            data: {
                staffMails: components["schemas"]["StaffMails"];
            };
        };
        /**
         * @example {
         *       "isEnabled": false
         *     }
         */
        UserEnabling: {
            isEnabled: boolean;
        };
        /**
         * @example {
         *       "street": "12 Market Street",
         *       "city": "Atlanta",
         *       "state": "GA",
         *       "postalCode": "30303"
         *     }
         */
        DeliveryAddress: {
            street: string;
            city: string;
            state: string;
            postalCode: string;
            /** @description Apartment, suite, or floor */
            street2?: string;
            company?: string;
            /** @description For the carrier */
            phone?: string;
        };
        /**
         * @description Both are required; the checkout has its own messages for missing values.
         * @example {
         *       "customer": "Example Customer",
         *       "deliveryAddress": {
         *         "street": "12 Market Street",
         *         "city": "Atlanta",
         *         "state": "GA",
         *         "postalCode": "30303"
         *       }
         *     }
         */
        NewOrder: {
            /** @description The name on the parcel */
            customer?: string;
            deliveryAddress?: components["schemas"]["DeliveryAddress"];
            /**
             * Format: uuid
             * @description Defaults to the cheapest that serves the address
             */
            deliveryMethodId?: string | null;
            /** @description Case does not matter */
            discountCode?: string | null;
            /** @description The total that the customer saw; any other total is rejected */
            expectedTotal?: number | null;
            /** @description For packing and delivery */
            deliveryNote?: string | null;
        };
        /**
         * @example {
         *       "paymentUrl": "http://127.0.0.1:3001/c/pay/cs_test_a1b2c3",
         *       "orderId": "a73d0f5c-9e24-4b18-8d6f-1c5b2e7a9043",
         *       "orderNumber": "1042"
         *     }
         */
        OrderPlacement: {
            /**
             * Format: uri
             * @description The provider's payment page
             */
            paymentUrl: string;
            orderId: components["schemas"]["Uuid"];
            orderNumber: string;
        };
        OrderPlacementAnswer: {
            message: components["schemas"]["Message"];
            data: components["schemas"]["OrderPlacement"];
        };
        /**
         * @example {
         *       "deliveryAddress": {
         *         "state": "GA",
         *         "postalCode": "30303"
         *       }
         *     }
         */
        QuoteRequest: {
            /** @description Other address fields are accepted and ignored */
            deliveryAddress?: {
                street?: string;
                city?: string;
                state: string;
                postalCode?: string;
                /** @description Apartment, suite, or floor */
                street2?: string;
                company?: string;
                /** @description For the carrier */
                phone?: string;
            } | null;
            /** Format: uuid */
            deliveryMethodId?: string | null;
            discountCode?: string | null;
        };
        QuoteAnswer: {
            message: components["schemas"]["Message"];
            data: {
                quote: components["schemas"]["Quote"];
            };
        };
        OrderDiscount: {
            code: string;
            /** @description Amount taken off the goods */
            amount: components["schemas"]["Money"];
        };
        OrderDelivery: {
            /** @description Name of the method when the order was placed */
            name: string;
            price: components["schemas"]["Money"];
        };
        OrderTax: {
            state: string;
            /** @description In percent */
            rate: number;
            amount: components["schemas"]["Money"];
        };
        /** @enum {string} */
        OrderStatus: "PENDING_PAYMENT" | "PAID" | "OUT_FOR_DELIVERY" | "DELIVERED" | "CANCELLED" | "REFUNDED";
        OrderItem: {
            orderItemId: components["schemas"]["Uuid"];
            productId: components["schemas"]["Uuid"];
            /** @description Name when the order was placed */
            productName: string;
            /** @description Size when the order was placed, as staff wrote it; missing without one */
            unitSize?: string;
            /** @description Net weight when the order was placed; missing without one */
            netGrams?: number;
            /** @description Net volume when the order was placed; missing without one */
            netMillilitres?: number;
            /** @description The product's present SKU, for staff; missing without one */
            sku?: string;
            /** @description The same for its barcode */
            barcode?: string;
            /** @description The same for its place in the store room */
            shelf?: string;
            imageUrl: string | null;
            /** @description Units ordered */
            quantity: number;
            /** @description Units refunded */
            refundedQuantity: number;
            shippedQuantity: number;
            /** @description Units of a paid order that are neither shipped nor refunded before shipping */
            leftToShip: number;
            unitPrice: components["schemas"]["Money"];
            totalPrice: components["schemas"]["Money"];
            /** @description Its share of the order's discount */
            discount: components["schemas"]["Money"];
            /** @description Its share of the order's tax */
            tax: components["schemas"]["Money"];
        };
        OrderEvent: {
            status: components["schemas"]["OrderStatus"];
            at: components["schemas"]["Time"];
            /** @description Who did it; null if it happened automatically */
            by: string | null;
            /** @description The reason, if the shop did it automatically */
            note: string | null;
        };
        RefundLine: {
            orderItemId: components["schemas"]["Uuid"];
            /** @description Name when the order was placed */
            productName: string;
            /** @description Size when the order was placed, as staff wrote it; missing without one */
            unitSize?: string;
            /** @description Net weight when the order was placed; missing without one */
            netGrams?: number;
            /** @description Net volume when the order was placed; missing without one */
            netMillilitres?: number;
            quantity: number;
            /** @description How many of them were not shipped; missing in refunds made before parcels existed */
            unshippedQuantity?: number;
            /** @description These units were returned to the shelf */
            isRestocked: boolean;
            /** @description After its share of the discount */
            amount: components["schemas"]["Money"];
            tax: components["schemas"]["Money"];
        };
        /**
         * @example {
         *       "id": "2b9c4d71-6e5f-4a08-b3d2-9f1e7c8a5b60",
         *       "amount": 4.5,
         *       "state": "done",
         *       "isRestocked": false,
         *       "reason": "One jar arrived broken",
         *       "by": "Example Admin",
         *       "createdAt": "2026-03-03T09:00:00.000Z",
         *       "doneAt": "2026-03-03T09:00:01.000Z",
         *       "lines": [],
         *       "delivery": null,
         *       "tax": 0,
         *       "other": 4.5,
         *       "customerNote": null
         *     }
         */
        Refund: {
            id: components["schemas"]["Uuid"];
            amount: components["schemas"]["Money"];
            /**
             * @description asked: not confirmed by the provider yet; failed: the provider rejected it
             * @enum {string}
             */
            state: "asked" | "done" | "failed";
            /** @description The order's units were returned to the shelf */
            isRestocked: boolean;
            /** @description Note of staff; visible to staff only */
            reason: string | null;
            /** @description Who made it; null if the shop did so automatically */
            by: string | null;
            createdAt: components["schemas"]["Time"];
            /** Format: date-time */
            doneAt: string | null;
            /** @description The refunded units; empty for a refund of an amount */
            lines: components["schemas"]["RefundLine"][];
            /** @description Refunded part of the delivery; null: none */
            delivery: number | null;
            /** @description Refunded part of the tax */
            tax: components["schemas"]["Money"];
            /** @description The amount of a refund without lines; includes its `delivery` and `tax` */
            other: number | null;
            /** @description Note of staff to the customer */
            customerNote: string | null;
        };
        /** @enum {string} */
        Carrier: "usps" | "ups" | "fedex" | "dhl" | "other";
        ParcelLine: {
            orderItemId: components["schemas"]["Uuid"];
            quantity: number;
        };
        Parcel: {
            id: components["schemas"]["Uuid"];
            carrier: components["schemas"]["Carrier"];
            trackingNumber: string | null;
            /** @description As staff set it, or else the carrier's page for the number */
            trackingUrl: string | null;
            shippedAt: components["schemas"]["Time"];
            lines: components["schemas"]["ParcelLine"][];
            /** @description Who created it; visible to staff only */
            by: string | null;
            /** @description The customer is notified of it by mail */
            isNotified: boolean;
        };
        /**
         * @example {
         *       "id": "a73d0f5c-9e24-4b18-8d6f-1c5b2e7a9043",
         *       "orderId": "a73d0f5c-9e24-4b18-8d6f-1c5b2e7a9043",
         *       "orderNumber": "1042",
         *       "createdAt": "2026-03-02T10:00:00.000Z",
         *       "customer": "Example Customer",
         *       "totalAmount": 19,
         *       "goods": 19,
         *       "discount": null,
         *       "delivery": null,
         *       "tax": null,
         *       "orderStatus": "PAID",
         *       "deliveryNote": null,
         *       "deliveryAddress": {
         *         "street": "12 Market Street",
         *         "city": "Atlanta",
         *         "state": "GA",
         *         "postalCode": "30303"
         *       },
         *       "orderItems": [
         *         {
         *           "orderItemId": "e80b4c96-1f7d-4253-a6e9-8d0c5b3f7a12",
         *           "productId": "9d2e7b14-6c8f-4e03-b5a1-3f7c9e0d2b68",
         *           "productName": "Domoda Peanut Base",
         *           "imageUrl": "/pictures/5e1f0c7a9b3d2846-640.webp",
         *           "quantity": 2,
         *           "refundedQuantity": 0,
         *           "shippedQuantity": 0,
         *           "leftToShip": 2,
         *           "unitPrice": 9.5,
         *           "totalPrice": 19,
         *           "discount": 0,
         *           "tax": 0
         *         }
         *       ],
         *       "shipmentTrackingUrl": null,
         *       "timeline": [
         *         {
         *           "status": "PENDING_PAYMENT",
         *           "at": "2026-03-02T10:00:00.000Z",
         *           "by": "Example Customer",
         *           "note": null
         *         },
         *         {
         *           "status": "PAID",
         *           "at": "2026-03-02T10:01:12.000Z",
         *           "by": null,
         *           "note": null
         *         }
         *       ],
         *       "paymentUrl": null,
         *       "paidAt": "2026-03-02T10:01:12.000Z",
         *       "refundedAmount": 0,
         *       "refunds": [],
         *       "parcels": []
         *     }
         */
        Order: {
            id: components["schemas"]["Uuid"];
            /** @description The same as id */
            orderId: components["schemas"]["Uuid"];
            /** @description Short, for people */
            orderNumber: string;
            createdAt: components["schemas"]["Time"];
            /** @description The name on the parcel */
            customer: string;
            /** @description The customer's account, for staff */
            userId?: components["schemas"]["Uuid"];
            totalAmount: components["schemas"]["Money"];
            /** @description The sum of the lines */
            goods: components["schemas"]["Money"];
            discount: components["schemas"]["OrderDiscount"] | null;
            delivery: components["schemas"]["OrderDelivery"] | null;
            tax: components["schemas"]["OrderTax"] | null;
            orderStatus: components["schemas"]["OrderStatus"];
            /** @description The customer's note for the delivery */
            deliveryNote: string | null;
            deliveryAddress: components["schemas"]["DeliveryAddress"];
            orderItems: components["schemas"]["OrderItem"][];
            shipmentTrackingUrl: string | null;
            /** @description Status changes, oldest first */
            timeline: components["schemas"]["OrderEvent"][];
            /** @description URL of the payment page, for the order's customer while the payment is pending */
            paymentUrl: string | null;
            /**
             * Format: date-time
             * @description Until when its items are held; only there while the payment is pending
             */
            heldUntil?: string;
            /** Format: date-time */
            paidAt: string | null;
            /** @description Refunded part of it */
            refundedAmount: components["schemas"]["Money"];
            /** @description Oldest first */
            refunds: components["schemas"]["Refund"][];
            /** @description Its parcels, oldest first; empty for an order that was shipped before parcels existed */
            parcels?: components["schemas"]["Parcel"][];
        };
        /**
         * @example {
         *       "content": [],
         *       "pageable": {
         *         "pageNumber": 0,
         *         "totalPages": 0
         *       },
         *       "totalPages": 0,
         *       "totalElements": 0
         *     }
         */
        OrderPage: {
            content: components["schemas"]["Order"][];
            pageable: components["schemas"]["Pageable"];
            totalPages: number;
            totalElements: number;
        };
        OrdersAnswer: {
            message: components["schemas"]["Message"];
            data: {
                orders: components["schemas"]["OrderPage"];
            };
        };
        /**
         * @example {
         *       "orderId": "a73d0f5c-9e24-4b18-8d6f-1c5b2e7a9043",
         *       "orderNumber": "1042",
         *       "totalAmount": 19,
         *       "goods": 19,
         *       "discount": null,
         *       "delivery": null,
         *       "tax": null,
         *       "orderStatus": "PAID",
         *       "isGivenBack": false
         *     }
         */
        Payment: {
            orderId: components["schemas"]["Uuid"];
            orderNumber: string;
            totalAmount: components["schemas"]["Money"];
            /** @description The sum of the lines */
            goods: components["schemas"]["Money"];
            discount: components["schemas"]["OrderDiscount"] | null;
            delivery: components["schemas"]["OrderDelivery"] | null;
            tax: components["schemas"]["OrderTax"] | null;
            orderStatus: components["schemas"]["OrderStatus"];
            /** @description The order can no longer be delivered; its money has been or will be refunded */
            isGivenBack: boolean;
        };
        PaymentStatusAnswer: {
            message: components["schemas"]["Message"];
            data: {
                payment: components["schemas"]["Payment"] | null;
            };
        };
        PaymentAnswer: {
            message: components["schemas"]["Message"];
            data: {
                payment: components["schemas"]["Payment"];
            };
        };
        OrderAnswer: {
            message: components["schemas"]["Message"];
            data: {
                orderResponse: components["schemas"]["Order"];
            };
        };
        /** @description One of the 50 states, DC, or with the setting `territories` PR, VI, GU, AS, MP, AA, AE, AP */
        StateCode: string;
        /**
         * Format: date
         * @description A calendar day
         */
        Day: string;
        PickListOrder: {
            orderId: components["schemas"]["Uuid"];
            orderNumber: string;
            units: number;
        };
        /**
         * @description A product as it is in the catalog now, also if it is archived
         * @example {
         *       "productId": "9d2e7b14-6c8f-4e03-b5a1-3f7c9e0d2b68",
         *       "productName": "Domoda Peanut Base",
         *       "netGrams": 250,
         *       "sku": "DPB-250",
         *       "shelf": "A 02",
         *       "imageUrl": "/pictures/5e1f0c7a9b3d2846-640.webp",
         *       "units": 2,
         *       "orders": [
         *         {
         *           "orderId": "a73d0f5c-9e24-4b18-8d6f-1c5b2e7a9043",
         *           "orderNumber": "1042",
         *           "units": 2
         *         }
         *       ]
         *     }
         */
        PickListLine: {
            productId: components["schemas"]["Uuid"];
            productName: string;
            /** @description Its size as staff wrote it; missing without one */
            unitSize?: string;
            /** @description Its net weight; missing without one */
            netGrams?: number;
            /** @description Its net volume; missing without one */
            netMillilitres?: number;
            sku: string | null;
            /** @description Missing without one */
            barcode?: string;
            shelf: string | null;
            imageUrl: string | null;
            /** @description What is left to ship in all the chosen orders */
            units: number;
            /** @description The orders that they go to, by number */
            orders: components["schemas"]["PickListOrder"][];
        };
        /** @description Chosen orders with nothing left to ship, or without a packing slip, by number */
        OrdersWithNothingLeft: {
            orderId: components["schemas"]["Uuid"];
            orderNumber: string;
            orderStatus: components["schemas"]["OrderStatus"];
        }[];
        PickListAnswer: {
            message: components["schemas"]["Message"];
            data: {
                lines: components["schemas"]["PickListLine"][];
                nothingLeft: components["schemas"]["OrdersWithNothingLeft"];
            };
        };
        PackingSlipsAnswer: {
            message: components["schemas"]["Message"];
            data: {
                orders: components["schemas"]["Order"][];
                nothingLeft: components["schemas"]["OrdersWithNothingLeft"];
            };
        };
        OrderNote: {
            id: components["schemas"]["Uuid"];
            text: string;
            /** @description Who wrote it */
            by: string;
            at: components["schemas"]["Time"];
        };
        PaymentDecline: {
            /** @description The provider's reason, such as insufficient_funds */
            reason: string | null;
            at: components["schemas"]["Time"];
        };
        OrderPayment: {
            /** @enum {string} */
            state: "creating" | "open" | "paid" | "expired" | "refunded";
            amount: components["schemas"]["Money"];
            /** @description The provider's id of the payment session */
            sessionId: string | null;
            /** @description The provider's id of the payment */
            paymentId: string | null;
            /** @description Failed payment attempts as reported by the provider, oldest first; the last 50 */
            declines: components["schemas"]["PaymentDecline"][];
        };
        /** @enum {string} */
        MailKind: "order_confirmation" | "out_for_delivery" | "refund" | "password_reset" | "contact_received" | "security_notice" | "email_proof" | "account_takeover" | "staff_invitation" | "message_reply" | "new_order" | "daily_orders" | "low_stock";
        OrderEmail: {
            id: components["schemas"]["Uuid"];
            kind: components["schemas"]["MailKind"];
            state: components["schemas"]["MailState"];
            /** @description The address it goes to */
            recipient?: string;
            /** @description When it was sent, or if unsent when it was created */
            at: components["schemas"]["Time"];
        };
        OrderTrackingChange: {
            by: string | null;
            at: components["schemas"]["Time"];
        };
        OrderParcelChange: {
            /** @enum {string} */
            change: "created" | "changed" | "deleted";
            /** @description The carrier it then had, if the change says so */
            carrier: components["schemas"]["Carrier"] | null;
            by: string | null;
            at: components["schemas"]["Time"];
        };
        OrderUndo: {
            status: components["schemas"]["OrderStatus"];
            until: components["schemas"]["Time"];
        };
        /**
         * @example {
         *       "account": {
         *         "userId": "6f1c2a34-8b1d-4c57-9e21-5a0b3c7d9e10",
         *         "fullName": "Example Customer",
         *         "email": "customer@example.com"
         *       },
         *       "notes": [
         *         {
         *           "id": "2b9c4d71-6e5f-4a08-b3d2-9f1e7c8a5b61",
         *           "text": "Rings at the side door",
         *           "by": "Example Admin",
         *           "at": "2026-03-02T11:00:00.000Z"
         *         }
         *       ],
         *       "payment": {
         *         "state": "paid",
         *         "amount": 19,
         *         "sessionId": "cs_test_a1b2c3",
         *         "paymentId": "pi_a1b2c3",
         *         "declines": [
         *           {
         *             "reason": "insufficient_funds",
         *             "at": "2026-03-02T10:58:00.000Z"
         *           }
         *         ]
         *       },
         *       "emails": [
         *         {
         *           "id": "4c8b1f6e-2a97-4d35-8e0c-7b6f3d9a1e52",
         *           "kind": "order_confirmation",
         *           "state": "sent",
         *           "recipient": "customer@example.com",
         *           "at": "2026-03-02T10:01:13.000Z"
         *         }
         *       ],
         *       "trackingChanges": [
         *         {
         *           "by": "Example Admin",
         *           "at": "2026-03-02T12:00:00.000Z"
         *         }
         *       ],
         *       "parcelChanges": [
         *         {
         *           "change": "created",
         *           "carrier": "usps",
         *           "by": "Example Admin",
         *           "at": "2026-03-02T12:30:00.000Z"
         *         }
         *       ],
         *       "nextStatuses": [
         *         "OUT_FOR_DELIVERY",
         *         "DELIVERED"
         *       ],
         *       "undo": null
         *     }
         */
        OrderDetails: {
            /** @description The account that placed the order; the recipient's name may differ */
            account: {
                userId: components["schemas"]["Uuid"];
                fullName: string;
                email: string;
            };
            /** @description Oldest first */
            notes: components["schemas"]["OrderNote"][];
            payment: components["schemas"]["OrderPayment"] | null;
            /** @description Mails about it, oldest first */
            emails?: components["schemas"]["OrderEmail"][];
            /** @description Changes of its tracking link, oldest first */
            trackingChanges?: components["schemas"]["OrderTrackingChange"][];
            /** @description What staff did with its parcels, oldest first, also with those that were deleted since */
            parcelChanges?: components["schemas"]["OrderParcelChange"][];
            /** @description Statuses that staff may set now */
            nextStatuses: components["schemas"]["OrderStatus"][];
            /** @description The step that the caller may still take back */
            undo: components["schemas"]["OrderUndo"] | null;
        };
        StaffOrderAnswer: {
            message: components["schemas"]["Message"];
            data: {
                orderResponse: components["schemas"]["Order"];
                details: components["schemas"]["OrderDetails"];
            };
        };
        /**
         * @example {
         *       "shipmentTrackingUrl": "https://parcels.example.com/track/1042"
         *     }
         */
        OrderTracking: {
            /** @description Starts with https://; null removes it */
            shipmentTrackingUrl: string | null;
        };
        /**
         * @example {
         *       "lines": [
         *         {
         *           "orderItemId": "e80b4c96-1f7d-4253-a6e9-8d0c5b3f7a12",
         *           "quantity": 2
         *         }
         *       ],
         *       "carrier": "usps",
         *       "trackingNumber": "9400 1118 9956 1842 7310 02"
         *     }
         */
        NewParcel: {
            /** @description Units of lines, each line once */
            lines: components["schemas"]["ParcelLine"][];
            carrier: components["schemas"]["Carrier"];
            /** @description Letters, digits, spaces and hyphens */
            trackingNumber?: string | null;
            /** @description Starts with https://; by default the carrier's page for the number */
            trackingUrl?: string | null;
            /**
             * @description Mails the customer what is in it and how to track it
             * @default true
             */
            notify: boolean;
        };
        /**
         * @example {
         *       "trackingNumber": "9400 1118 9956 1842 7310 02",
         *       "notify": true
         *     }
         */
        ParcelChange: {
            carrier?: components["schemas"]["Carrier"];
            /** @description Letters, digits, spaces and hyphens */
            trackingNumber?: string | null;
            /** @description Starts with https:// */
            trackingUrl?: string | null;
            /** @description Mails the customer how to track it now */
            notify?: boolean;
        };
        /**
         * @example {
         *       "text": "Rings at the side door"
         *     }
         */
        NewOrderNote: {
            text: string;
        };
        NewRefundLine: {
            orderItemId: components["schemas"]["Uuid"];
            quantity: number;
            /**
             * @description Returns these units to the shelf
             * @default false
             */
            restock: boolean;
            /** @description Refunds shipped units first, because they came back; else units that were not shipped go first */
            cameBack?: boolean;
        };
        /**
         * @example {
         *       "amount": 4.5,
         *       "restock": false,
         *       "reason": "One jar arrived broken"
         *     }
         * @example {
         *       "lines": [
         *         {
         *           "orderItemId": "e80b4c96-1f7d-4253-a6e9-8d0c5b3f7a12",
         *           "quantity": 1,
         *           "restock": false
         *         }
         *       ],
         *       "delivery": true,
         *       "reason": "One jar arrived broken",
         *       "customerNote": "We're sorry about the broken jar."
         *     }
         */
        NewRefund: {
            /** @description US dollars; defaults to all that is left */
            amount?: number;
            /**
             * @description Returns the order's units to the shelf, once
             * @default false
             */
            restock: boolean;
            /** @description Units of lines, each line once; excludes `amount` and `restock` */
            lines?: components["schemas"]["NewRefundLine"][];
            /**
             * @description Refunds what is left of the delivery, with its tax; excludes `amount` and `restock`
             * @constant
             */
            delivery?: true;
            /** @description For staff */
            reason: string;
            /** @description For the customer, in the mail and on the receipt */
            customerNote?: string;
        };
        RefundAnswer: {
            message: components["schemas"]["Message"];
            data: {
                refund: components["schemas"]["Refund"];
                orderResponse: components["schemas"]["Order"];
            };
        };
        /**
         * @example {
         *       "reason": "Ordered twice",
         *       "customerNote": "We canceled the second order."
         *     }
         */
        OrderCancellation: {
            /** @description For staff */
            reason?: string;
            /** @description For the customer of a paid order, in the mail and on the receipt */
            customerNote?: string;
            /**
             * @description Returns the units of a paid order to the shelf
             * @default true
             */
            restock: boolean;
        };
        /**
         * @description Another size in stock of a product that is sold out or no longer sold; missing if there is none, or if it is in the cart already
         * @example {
         *       "productId": "1c0d6e2f-53a7-4b9e-8d14-6f2a9c7b3e50",
         *       "productName": "Domoda Peanut Base",
         *       "imageUrl": null,
         *       "price": 17.5,
         *       "netGrams": 500
         *     }
         */
        SizeInstead: {
            productId: components["schemas"]["Uuid"];
            productName: string;
            imageUrl: string | null;
            /** @description Per unit */
            price: components["schemas"]["Money"];
            /** @description The size as staff wrote it; missing without one */
            unitSize?: string;
            /** @description The net weight; missing without one */
            netGrams?: number;
            /** @description The net volume; missing without one */
            netMillilitres?: number;
        };
        /**
         * @example {
         *       "productId": "9d2e7b14-6c8f-4e03-b5a1-3f7c9e0d2b68",
         *       "productName": "Domoda Peanut Base",
         *       "imageUrl": "/pictures/5e1f0c7a9b3d2846-640.webp",
         *       "orderedQuantity": 2,
         *       "orderedPrice": 9.5,
         *       "currentPrice": 9.9,
         *       "stock": 64,
         *       "inCart": 0,
         *       "quantity": 2,
         *       "notice": "price_changed"
         *     }
         */
        ReorderLine: {
            productId: components["schemas"]["Uuid"];
            /** @description The current name */
            productName: string;
            /** @description The size as staff wrote it; missing without one */
            unitSize?: string;
            /** @description The net weight; missing without one */
            netGrams?: number;
            /** @description The net volume; missing without one */
            netMillilitres?: number;
            imageUrl: string | null;
            orderedQuantity: number;
            /** @description Per unit */
            orderedPrice: components["schemas"]["Money"];
            /** @description Per unit */
            currentPrice: components["schemas"]["Money"];
            /** @description Maximum units that this customer can have in the cart */
            stock: number;
            /** @description Units already in the cart */
            inCart: number;
            /** @description Units that can be added; 0 if none */
            quantity: number;
            /**
             * @description The most important difference from the order
             * @enum {string|null}
             */
            notice: "archived" | "out_of_stock" | "not_enough_stock" | "price_changed" | null;
            instead?: components["schemas"]["SizeInstead"];
        };
        ReorderAnswer: {
            message: components["schemas"]["Message"];
            data: {
                reorder: {
                    orderId: components["schemas"]["Uuid"];
                    lines: components["schemas"]["ReorderLine"][];
                };
            };
        };
        /**
         * @example {
         *       "id": "4c8b1f6e-2a97-4d35-8e0c-7b6f3d9a1e52",
         *       "kind": "order_confirmation",
         *       "recipient": "customer@example.com",
         *       "orderId": "a73d0f5c-9e24-4b18-8d6f-1c5b2e7a9043",
         *       "orderNumber": "1042",
         *       "state": "sent",
         *       "attempts": 1,
         *       "lastError": null,
         *       "createdAt": "2026-03-02T10:01:12.000Z",
         *       "sentAt": "2026-03-02T10:01:13.000Z"
         *     }
         */
        Mail: {
            id: components["schemas"]["Uuid"];
            kind: components["schemas"]["MailKind"];
            recipient: string;
            /** Format: uuid */
            orderId: string | null;
            orderNumber: string | null;
            state: components["schemas"]["MailState"];
            attempts: number;
            /** @description Why the last attempt failed */
            lastError: string | null;
            createdAt: components["schemas"]["Time"];
            /** Format: date-time */
            sentAt: string | null;
        };
        MailsAnswer: {
            message: components["schemas"]["Message"];
            data: {
                mails: {
                    content: components["schemas"]["Mail"][];
                    pageable: components["schemas"]["Pageable"];
                    totalPages: number;
                    totalElements: number;
                };
            };
        };
        MailLetter: {
            paragraphs: string[];
            /** @description The rows of a table, the total last; empty if there is none */
            rows: {
                label: string;
                amount: string;
            }[];
            /** @description Lines that belong together, such as an address */
            block: {
                title: string;
                lines: string[];
            } | null;
            /** @description URL of the button */
            action: {
                label: string;
                url: string;
            } | null;
            signature: string[];
        };
        MailContent: {
            subject: string | null;
            /** @description The text, rendered again; null if the mail contains a secret, or if its data no longer exists */
            text: string | null;
            /** @description The .eml file, if mails are written to files; null if the mail contains a secret */
            file: string | null;
            /** @description The text in parts, as the recipient sees it; null if `text` is null */
            letter: components["schemas"]["MailLetter"] | null;
        };
        MailContentAnswer: {
            message: components["schemas"]["Message"];
            data: {
                mail: components["schemas"]["Mail"];
                content: components["schemas"]["MailContent"];
            };
        };
        MailAnswer: {
            message: components["schemas"]["Message"];
            data: {
                mail: components["schemas"]["Mail"];
            };
        };
        HoldLine: {
            productId: components["schemas"]["Uuid"];
            productName: string;
            /** @description Size when the order was placed, as staff wrote it; missing without one */
            unitSize?: string;
            /** @description Net weight when the order was placed; missing without one */
            netGrams?: number;
            /** @description Net volume when the order was placed; missing without one */
            netMillilitres?: number;
            units: number;
            /** @description All unsold units, held or not */
            stock: number;
        };
        /**
         * @example {
         *       "orderId": "a73d0f5c-9e24-4b18-8d6f-1c5b2e7a9043",
         *       "orderNumber": "1042",
         *       "userId": "6f1c2a34-8b1d-4c57-9e21-5a0b3c7d9e10",
         *       "fullName": "Awa Ceesay",
         *       "email": "awa@example.com",
         *       "hasPaid": false,
         *       "totalAmount": 40.5,
         *       "since": "2026-03-02T10:01:12.000Z",
         *       "until": "2026-03-02T10:32:12.000Z",
         *       "isEnding": false,
         *       "lines": [
         *         {
         *           "productId": "5f0c7a4e-2d19-4b86-9e3f-7a1c6d8b2f45",
         *           "productName": "Black pepper",
         *           "units": 9,
         *           "stock": 10
         *         }
         *       ]
         *     }
         */
        Hold: {
            orderId: components["schemas"]["Uuid"];
            orderNumber: string;
            userId: components["schemas"]["Uuid"];
            fullName: string;
            email: string;
            /** @description Whether the customer has ever paid an order here */
            hasPaid: boolean;
            totalAmount: components["schemas"]["Money"];
            /** @description When the first of the orders was placed */
            since: components["schemas"]["Time"];
            until: components["schemas"]["Time"];
            /** @description Its time is over; it ends as soon as the provider answers */
            isEnding: boolean;
            /** @description Largest share first */
            lines: components["schemas"]["HoldLine"][];
        };
        HoldsAnswer: {
            message: components["schemas"]["Message"];
            data: {
                holds: {
                    content: components["schemas"]["Hold"][];
                    pageable: components["schemas"]["Pageable"];
                    totalPages: number;
                    totalElements: number;
                };
            };
        };
        /**
         * @example {
         *       "message": "Stock released. The order was canceled.",
         *       "data": {
         *         "orderId": "6f1c2a34-8b1d-4c57-9e21-5a0b3c7d9e10",
         *         "orderStatus": "CANCELLED"
         *       }
         *     }
         */
        EndedHoldAnswer: {
            message: components["schemas"]["Message"];
            data: {
                orderId: components["schemas"]["Uuid"];
                orderStatus: components["schemas"]["OrderStatus"];
            };
        };
        /**
         * @example {
         *       "id": "2b7e9c14-5d83-4f06-a1c9-8e3d6f0b7a52",
         *       "name": "Standard",
         *       "description": "3–5 business days",
         *       "price": 5.95,
         *       "freeFrom": 60,
         *       "states": null,
         *       "position": 0,
         *       "isActive": true
         *     }
         */
        DeliveryMethod: {
            id: components["schemas"]["Uuid"];
            name: string;
            /** @description Delivery time; may be empty */
            description: string;
            price: components["schemas"]["Money"];
            /** @description Free from this sum of goods after the discount; null: never */
            freeFrom: number | null;
            /** @description States where it is offered; null: all */
            states: components["schemas"]["StateCode"][] | null;
            /** @description Position at checkout, from 0 */
            position: number;
            /** @description Whether the checkout offers it */
            isActive: boolean;
        };
        DeliveryMethodsAnswer: {
            message: components["schemas"]["Message"];
            data: {
                deliveryMethods: {
                    content: components["schemas"]["DeliveryMethod"][];
                    pageable: components["schemas"]["Pageable"];
                    totalPages: number;
                    totalElements: number;
                };
            };
        };
        /**
         * @example {
         *       "name": "Standard",
         *       "description": "3–5 business days",
         *       "price": 5.95,
         *       "freeFrom": 60,
         *       "states": [
         *         "GA",
         *         "FL"
         *       ],
         *       "position": 0,
         *       "isActive": true
         *     }
         */
        DeliveryMethodForm: {
            /** @description Unique, ignoring case */
            name: string;
            /** @default  */
            description: string;
            price: number;
            /** @default null */
            freeFrom: number | null;
            /** @default null */
            states: components["schemas"]["StateCode"][] | null;
            /** @description From 0; a new method is last by default */
            position?: number;
            /** @default true */
            isActive: boolean;
        };
        DeliveryMethodAnswer: {
            message: components["schemas"]["Message"];
            data: {
                deliveryMethod: components["schemas"]["DeliveryMethod"];
            };
        };
        /**
         * @example {
         *       "state": "OH",
         *       "rate": 5.75,
         *       "taxesDelivery": true
         *     }
         */
        TaxRate: {
            state: components["schemas"]["StateCode"];
            /** @description In percent */
            rate: number;
            /** @description Whether delivery is taxed too */
            taxesDelivery: boolean;
        };
        TaxRatesAnswer: {
            message: components["schemas"]["Message"];
            data: {
                taxRates: {
                    content: components["schemas"]["TaxRate"][];
                    pageable: components["schemas"]["Pageable"];
                    totalPages: number;
                    totalElements: number;
                };
            };
        };
        TaxRateImport: {
            /**
             * @description UTF-8, with the columns state, rate and taxesDelivery
             * @example state,rate,taxesDelivery
             *     OH,5.75,true
             */
            file: unknown;
        };
        TaxRateImportAnswer: {
            message: components["schemas"]["Message"];
            data: {
                /** @example 3 */
                changed: number;
            };
        };
        /** @description US dollars; negative if refunds exceed payments */
        SignedMoney: number;
        /**
         * @example {
         *       "state": "GA",
         *       "orders": 38,
         *       "gross": 1546.2,
         *       "exempt": 133.6,
         *       "taxable": 1412.6,
         *       "taxed": 1412.6,
         *       "rates": [
         *         4
         *       ],
         *       "tax": 56.5,
         *       "refunded": 1.25,
         *       "toRemit": 55.25
         *     }
         */
        TaxCollected: {
            state: components["schemas"]["StateCode"];
            /** @description Orders paid in the period */
            orders: number;
            /** @description What these orders charged for goods after discounts and for delivery, without tax */
            gross: components["schemas"]["Money"];
            /** @description The part of `gross` that was not taxed */
            exempt: components["schemas"]["Money"];
            /** @description The tax base; with `exempt` it is `gross` */
            taxable: components["schemas"]["Money"];
            /** @description Same as `taxable` */
            taxed: components["schemas"]["Money"];
            /** @description The rates of these orders in percent, lowest first; empty if none had a rate */
            rates: number[];
            /** @description The sum of the orders' tax */
            tax: components["schemas"]["Money"];
            /** @description Tax refunded in the period */
            refunded: components["schemas"]["Money"];
            /** @description `tax` minus `refunded`; below 0 if more was refunded than collected */
            toRemit: components["schemas"]["SignedMoney"];
        };
        TaxCollectedAnswer: {
            message: components["schemas"]["Message"];
            data: {
                collected: components["schemas"]["TaxCollected"][];
            };
        };
        /**
         * @example {
         *       "rate": 5.75,
         *       "taxesDelivery": true
         *     }
         */
        TaxRateForm: {
            /** @description In percent */
            rate: number;
            /** @default false */
            taxesDelivery: boolean;
        };
        TaxRateAnswer: {
            message: components["schemas"]["Message"];
            data: {
                taxRate: components["schemas"]["TaxRate"];
            };
        };
        /**
         * @example {
         *       "id": "1d7e9a40-5b3c-4f82-9c6d-0e8f2b7a5d14",
         *       "kind": "paid_undeliverable",
         *       "detail": "Paid after the order was canceled and sold out. The payment is being refunded.",
         *       "orderId": "a73d0f5c-9e24-4b18-8d6f-1c5b2e7a9043",
         *       "orderNumber": "1042",
         *       "createdAt": "2026-03-02T10:01:12.000Z",
         *       "settledAt": null,
         *       "settledBy": null
         *     }
         */
        Alarm: {
            id: components["schemas"]["Uuid"];
            /** @enum {string} */
            kind: "paid_undeliverable" | "paid_twice" | "event_refused" | "mail_failed" | "mail_waiting" | "refund_failed" | "webhook_silent" | "payment_key_refused" | "large_hold" | "backup_failed" | "backup_damaged" | "backup_overdue";
            /** @description A sentence for staff */
            detail: string;
            /** Format: uuid */
            orderId: string | null;
            orderNumber: string | null;
            createdAt: components["schemas"]["Time"];
            /** Format: date-time */
            settledAt: string | null;
            /** @description Who settled it; also null if it ended by itself */
            settledBy: string | null;
        };
        AlarmsAnswer: {
            message: components["schemas"]["Message"];
            data: {
                alarms: {
                    content: components["schemas"]["Alarm"][];
                    pageable: components["schemas"]["Pageable"];
                    totalPages: number;
                    totalElements: number;
                };
            };
        };
        AlarmAnswer: {
            message: components["schemas"]["Message"];
            data: {
                alarm: components["schemas"]["Alarm"];
            };
        };
        DashboardPoint: {
            /** @description Start of the bucket */
            from: components["schemas"]["Time"];
            /** @description The same in the shop's time zone, such as '2026-03-01', or '2026-03-01T14:00' for an hour */
            label: string;
            revenue: components["schemas"]["SignedMoney"];
            expenses: number | null;
            sales: number;
        };
        AttentionCount: {
            /** @enum {string} */
            kind: "paid_undeliverable" | "paid_twice" | "event_refused" | "mail_failed" | "mail_waiting" | "refund_failed" | "webhook_silent" | "payment_key_refused" | "large_hold" | "backup_failed" | "backup_damaged" | "backup_overdue";
            count: number;
        };
        /**
         * @example {
         *       "from": "2026-03-01",
         *       "to": "2026-03-02",
         *       "timeZone": "America/New_York",
         *       "bucket": "day",
         *       "revenue": 58.75,
         *       "paidAmount": 63.25,
         *       "refundedAmount": 4.5,
         *       "netSales": 51.5,
         *       "grossProfit": 20.1,
         *       "unitsWithoutCost": 0,
         *       "expenses": 31.4,
         *       "sales": 3,
         *       "series": [
         *         {
         *           "from": "2026-03-01T05:00:00.000Z",
         *           "label": "2026-03-01",
         *           "revenue": 39.75,
         *           "expenses": 20,
         *           "sales": 2
         *         },
         *         {
         *           "from": "2026-03-02T05:00:00.000Z",
         *           "label": "2026-03-02",
         *           "revenue": 19,
         *           "expenses": 11.4,
         *           "sales": 1
         *         }
         *       ],
         *       "attention": [
         *         {
         *           "kind": "mail_failed",
         *           "count": 1
         *         }
         *       ],
         *       "newMessages": 4
         *     }
         */
        Dashboard: {
            /** @description The first day */
            from: components["schemas"]["Day"];
            /** @description The last day */
            to: components["schemas"]["Day"];
            /** @description The shop's time zone, such as America/New_York */
            timeZone: string;
            /**
             * @description Duration of a point in the series
             * @enum {string}
             */
            bucket: "hour" | "day" | "week" | "month";
            /** @description paidAmount minus refundedAmount */
            revenue: components["schemas"]["SignedMoney"];
            /** @description Payments, by payment time */
            paidAmount: components["schemas"]["Money"];
            /** @description Refunds, by refund time */
            refundedAmount: components["schemas"]["Money"];
            /** @description As in getSalesSummary */
            netSales: components["schemas"]["SignedMoney"];
            /** @description As in getSalesSummary; null if no unit of the period has a cost */
            grossProfit: number | null;
            /** @description Units of the period without a cost */
            unitsWithoutCost: number;
            /** @description Unit cost x quantity of paid lines, minus restocked units at the time of their refund; null until any product has a cost */
            expenses: number | null;
            /** @description Orders by payment time, including refunded ones */
            sales: number;
            /** @description Without gaps */
            series: components["schemas"]["DashboardPoint"][];
            /** @description Open alarms by kind, most frequent first; GET /admin/alarms lists them */
            attention: components["schemas"]["AttentionCount"][];
            /** @description Unread messages */
            newMessages: number;
        };
        DashboardAnswer: {
            message: components["schemas"]["Message"];
            data: {
                dashboard: components["schemas"]["Dashboard"];
            };
        };
        /**
         * @example {
         *       "step": "delivery",
         *       "state": "done",
         *       "sentence": "4 delivery methods",
         *       "href": "/admin/delivery",
         *       "fact": "4 methods"
         *     }
         */
        GoLiveStep: {
            /** @enum {string} */
            step: "contact" | "brand" | "products" | "delivery" | "tax" | "policies" | "mail" | "payments" | "address" | "backup" | "testOrder";
            /** @enum {string} */
            state: "done" | "open";
            /** @description What is so, such as "4 methods" */
            sentence: string;
            /** @description The page where it is done */
            href: string;
            /** @description What is so in a few words, for its card in Settings; absent: none */
            fact?: string;
        };
        GoLiveAnswer: {
            message: components["schemas"]["Message"];
            data: {
                steps: components["schemas"]["GoLiveStep"][];
            };
        };
        /**
         * @example {
         *       "check": "database",
         *       "state": "ok",
         *       "sentence": "The database answers. It holds 84 MB.",
         *       "todo": null
         *     }
         */
        HealthCheck: {
            /** @enum {string} */
            check: "payments" | "provider" | "mail" | "details" | "address" | "disk" | "database" | "backup" | "twoStepLogin" | "version";
            /** @enum {string} */
            state: "ok" | "attention";
            /** @description What was found */
            sentence: string;
            /** @description What to do; null if nothing */
            todo: string | null;
            /** @description A page of the back office where it can be done */
            href?: string;
        };
        HealthAnswer: {
            message: components["schemas"]["Message"];
            data: {
                health: components["schemas"]["HealthCheck"][];
                checkedAt: components["schemas"]["Time"];
            };
        };
        /** @enum {string} */
        SummaryBy: "day" | "month" | "product" | "category" | "state" | "code";
        /** @description US dollars, negative if more is restocked than sold; null if there are only units without a cost. Units without a cost count as 0 if there are others. */
        KnownMoney: number | null;
        /** @description The period that ends the day before: of whole calendar months as many months, otherwise as many days */
        SalesPeriod: {
            from: components["schemas"]["Day"];
            to: components["schemas"]["Day"];
            /** @description Units sold */
            units: number;
            /** @description Goods before discounts */
            grossSales: components["schemas"]["Money"];
            discounts: components["schemas"]["Money"];
            /** @description Refunded goods, without delivery and tax */
            returns: components["schemas"]["Money"];
            /** @description grossSales - discounts - returns */
            netSales: components["schemas"]["SignedMoney"];
            /** @description Less what was refunded */
            delivery: components["schemas"]["SignedMoney"];
            /** @description Less what was refunded */
            tax: components["schemas"]["SignedMoney"];
            /** @description netSales + delivery + tax */
            total: components["schemas"]["SignedMoney"];
            costOfGoods: components["schemas"]["KnownMoney"];
            /** @description The cost of restocked units */
            restockedCost: components["schemas"]["Money"];
            grossProfit: components["schemas"]["KnownMoney"];
            /** @description Sold or restocked units that have no cost */
            unitsWithoutCost: number;
        };
        SalesRow: {
            /** @description An id, a day, a month such as 2026-11, or a state's two letters. By product and category also `delivery`, and `none` for refunds without lines; by code `none` for orders without one */
            key: string;
            name: string;
            /** @description Units sold */
            units: number;
            /** @description Goods before discounts */
            grossSales: components["schemas"]["Money"];
            discounts: components["schemas"]["Money"];
            /** @description Refunded goods, without delivery and tax */
            returns: components["schemas"]["Money"];
            /** @description grossSales - discounts - returns */
            netSales: components["schemas"]["SignedMoney"];
            /** @description Less what was refunded */
            delivery: components["schemas"]["SignedMoney"];
            /** @description Less what was refunded */
            tax: components["schemas"]["SignedMoney"];
            /** @description netSales + delivery + tax */
            total: components["schemas"]["SignedMoney"];
            costOfGoods: components["schemas"]["KnownMoney"];
            /** @description The cost of restocked units */
            restockedCost: components["schemas"]["Money"];
            grossProfit: components["schemas"]["KnownMoney"];
            /** @description Sold or restocked units that have no cost */
            unitsWithoutCost: number;
        };
        /**
         * @example {
         *       "from": "2026-11-01",
         *       "to": "2026-11-22",
         *       "today": "2026-11-22",
         *       "timeZone": "America/New_York",
         *       "units": 12,
         *       "grossSales": 54,
         *       "discounts": 5.5,
         *       "returns": 4,
         *       "netSales": 44.5,
         *       "delivery": 18,
         *       "tax": 2.5,
         *       "total": 65,
         *       "costOfGoods": 19.2,
         *       "restockedCost": 1.6,
         *       "grossProfit": 25.3,
         *       "unitsWithoutCost": 0,
         *       "previous": {
         *         "from": "2026-10-10",
         *         "to": "2026-10-31",
         *         "units": 3,
         *         "grossSales": 13.5,
         *         "discounts": 0,
         *         "returns": 0,
         *         "netSales": 13.5,
         *         "delivery": 6,
         *         "tax": 0.75,
         *         "total": 20.25,
         *         "costOfGoods": 4.5,
         *         "restockedCost": 0,
         *         "grossProfit": 9,
         *         "unitsWithoutCost": 0
         *       },
         *       "by": "state",
         *       "totalRows": 1,
         *       "rows": [
         *         {
         *           "key": "GA",
         *           "name": "Georgia",
         *           "units": 12,
         *           "grossSales": 54,
         *           "discounts": 5.5,
         *           "returns": 4,
         *           "netSales": 44.5,
         *           "delivery": 18,
         *           "tax": 2.5,
         *           "total": 65,
         *           "costOfGoods": 19.2,
         *           "restockedCost": 1.6,
         *           "grossProfit": 25.3,
         *           "unitsWithoutCost": 0
         *         }
         *       ]
         *     }
         */
        SalesSummary: {
            /** @description The first day */
            from: components["schemas"]["Day"];
            /** @description The last day */
            to: components["schemas"]["Day"];
            /** @description In the shop's time zone */
            today: components["schemas"]["Day"];
            /** @description The shop's time zone, such as America/New_York */
            timeZone: string;
            /** @description Units sold */
            units: number;
            /** @description Goods before discounts */
            grossSales: components["schemas"]["Money"];
            discounts: components["schemas"]["Money"];
            /** @description Refunded goods, without delivery and tax */
            returns: components["schemas"]["Money"];
            /** @description grossSales - discounts - returns */
            netSales: components["schemas"]["SignedMoney"];
            /** @description Less what was refunded */
            delivery: components["schemas"]["SignedMoney"];
            /** @description Less what was refunded */
            tax: components["schemas"]["SignedMoney"];
            /** @description netSales + delivery + tax */
            total: components["schemas"]["SignedMoney"];
            costOfGoods: components["schemas"]["KnownMoney"];
            /** @description The cost of restocked units */
            restockedCost: components["schemas"]["Money"];
            grossProfit: components["schemas"]["KnownMoney"];
            /** @description Sold or restocked units that have no cost */
            unitsWithoutCost: number;
            previous: components["schemas"]["SalesPeriod"];
            by?: components["schemas"]["SummaryBy"];
            /** @description With `by`, the rows of the requested page. Days and months latest first, those without figures left out; others by netSales, largest first, followed by delivery and refunds without lines, or by orders without a code */
            rows?: components["schemas"]["SalesRow"][];
            /** @description With `by`: the rows of all pages */
            totalRows?: number;
        };
        SalesSummaryAnswer: {
            message: components["schemas"]["Message"];
            data: {
                summary: components["schemas"]["SalesSummary"];
            };
        };
        /** @enum {string} */
        ReportBy: "product" | "category" | "month" | "state";
        ReportRow: {
            /** @description An id, a month such as 2026-11, or a state's two letters. By product and category also `delivery`, and `none` for refunds without lines */
            key: string;
            name: string;
            /** @description Units sold by product and category; orders by month and state; 0 for `delivery` */
            units: number;
            /** @description Before discounts */
            goods: components["schemas"]["Money"];
            discounts: components["schemas"]["Money"];
            delivery: components["schemas"]["Money"];
            tax: components["schemas"]["Money"];
            refunds: components["schemas"]["Money"];
            /** @description Goods minus discounts, plus delivery and tax, minus refunds */
            net: components["schemas"]["SignedMoney"];
        };
        ReportSum: {
            /** @description Units by product and category, otherwise orders */
            units: number;
            goods: components["schemas"]["Money"];
            discounts: components["schemas"]["Money"];
            delivery: components["schemas"]["Money"];
            tax: components["schemas"]["Money"];
            refunds: components["schemas"]["Money"];
            /** @description The dashboard's Revenue */
            net: components["schemas"]["SignedMoney"];
        };
        /**
         * @example {
         *       "by": "product",
         *       "from": "2026-11-01",
         *       "to": "2026-11-22",
         *       "today": "2026-11-22",
         *       "timeZone": "America/New_York",
         *       "rows": [
         *         {
         *           "key": "5f0c7a4e-2d19-4b86-9e3f-7a1c6d8b2f45",
         *           "name": "Black pepper",
         *           "units": 12,
         *           "goods": 54,
         *           "discounts": 5.5,
         *           "delivery": 0,
         *           "tax": 2.75,
         *           "refunds": 4.25,
         *           "net": 47
         *         },
         *         {
         *           "key": "delivery",
         *           "name": "Delivery",
         *           "units": 0,
         *           "goods": 0,
         *           "discounts": 0,
         *           "delivery": 18,
         *           "tax": 0,
         *           "refunds": 0,
         *           "net": 18
         *         }
         *       ],
         *       "totalRows": 2,
         *       "namedRows": 1,
         *       "sum": {
         *         "units": 12,
         *         "goods": 54,
         *         "discounts": 5.5,
         *         "delivery": 18,
         *         "tax": 2.75,
         *         "refunds": 4.25,
         *         "net": 65
         *       }
         *     }
         */
        Report: {
            by: components["schemas"]["ReportBy"];
            /** @description The first day */
            from: components["schemas"]["Day"];
            /** @description The last day */
            to: components["schemas"]["Day"];
            /** @description In the shop's time zone, to recognize an unfinished month */
            today: components["schemas"]["Day"];
            /** @description The shop's time zone, such as America/New_York */
            timeZone: string;
            /** @description Months without gaps, latest first; other rows by net, largest first, followed by delivery and refunds without lines */
            rows: components["schemas"]["ReportRow"][];
            /** @description The rows of all pages */
            totalRows: number;
            /** @description Those of them but `delivery` and `none` */
            namedRows: number;
            sum: components["schemas"]["ReportSum"];
        };
        ReportAnswer: {
            message: components["schemas"]["Message"];
            data: {
                report: components["schemas"]["Report"];
            };
        };
        /**
         * @description The first that applies of off (switched off), ended, used_up, planned (not started yet) and active.
         * @enum {string}
         */
        DiscountStatus: "active" | "planned" | "used_up" | "ended" | "off";
        /** @enum {string} */
        DiscountKind: "percent" | "amount" | "free_delivery";
        /**
         * @example {
         *       "id": "3f6b1d2e-7a48-4c95-8e10-5d9c2b7f4a61",
         *       "code": "WELCOME10",
         *       "kind": "percent",
         *       "percent": 10,
         *       "amount": null,
         *       "minimum": 30,
         *       "startsAt": null,
         *       "endsAt": "2026-12-01T05:00:00.000Z",
         *       "maxUses": 100,
         *       "maxUsesPerCustomer": 1,
         *       "categoryIds": null,
         *       "note": "For the flyer",
         *       "isActive": true,
         *       "createdAt": "2026-11-01T09:12:04.000Z",
         *       "status": "active",
         *       "uses": 12,
         *       "revenue": 402.3
         *     }
         */
        Discount: {
            id: components["schemas"]["Uuid"];
            code: string;
            kind: components["schemas"]["DiscountKind"];
            percent: number | null;
            amount: number | null;
            minimum: number | null;
            /** Format: date-time */
            startsAt: string | null;
            /** Format: date-time */
            endsAt: string | null;
            maxUses: number | null;
            maxUsesPerCustomer: number | null;
            categoryIds: components["schemas"]["Uuid"][] | null;
            note: string;
            isActive: boolean;
            createdAt: components["schemas"]["Time"];
            status: components["schemas"]["DiscountStatus"];
            /** @description Orders with the code that were not cancelled */
            uses: number;
            /** @description Revenue of its orders: payments minus refunds, each at its own time */
            revenue: components["schemas"]["SignedMoney"];
        };
        DiscountsAnswer: {
            message: components["schemas"]["Message"];
            data: {
                discounts: {
                    content: components["schemas"]["Discount"][];
                    pageable: components["schemas"]["Pageable"];
                    totalPages: number;
                    totalElements: number;
                };
            };
        };
        /**
         * @example {
         *       "code": "WELCOME10",
         *       "kind": "percent",
         *       "percent": 10,
         *       "minimum": 30,
         *       "maxUses": 100,
         *       "maxUsesPerCustomer": 1,
         *       "note": "For the flyer"
         *     }
         */
        DiscountForm: {
            /** @description 3 to 40 of A-Z, 0-9 and hyphen; case does not matter */
            code: string;
            kind: components["schemas"]["DiscountKind"];
            /** @description 1 to 100, applied to eligible goods; only for the kind percent */
            percent?: number | null;
            /** @description US dollars, capped at the eligible goods; only for the kind amount */
            amount?: number | null;
            /** @description Minimum sum of goods, in US dollars; null: none */
            minimum?: number | null;
            /**
             * Format: date-time
             * @description null: immediately
             */
            startsAt?: string | null;
            /**
             * Format: date-time
             * @description Ended from this time on; null: never
             */
            endsAt?: string | null;
            /** @description 1 to 1000000; null: no limit */
            maxUses?: number | null;
            /** @description 1 to 1000000; null: no limit */
            maxUsesPerCustomer?: number | null;
            /** @description Only goods of these categories are eligible; null: all */
            categoryIds?: components["schemas"]["Uuid"][] | null;
            /** @description For staff, 200 characters; defaults to empty */
            note?: string;
            /** @description Defaults to true */
            isActive?: boolean;
        };
        DiscountAnswer: {
            message: components["schemas"]["Message"];
            data: {
                discount: components["schemas"]["Discount"];
            };
        };
        AuditActor: {
            userId: components["schemas"]["Uuid"];
            fullName: string;
        };
        /**
         * @example {
         *       "id": "118",
         *       "at": "2026-03-02T10:00:00.000Z",
         *       "actor": {
         *         "userId": "6f1c2a34-8b1d-4c57-9e21-5a0b3c7d9e10",
         *         "fullName": "Example Admin"
         *       },
         *       "action": "order.status_changed",
         *       "targetKind": "order",
         *       "targetId": "a73d0f5c-9e24-4b18-8d6f-1c5b2e7a9043",
         *       "before": {
         *         "status": "PAID"
         *       },
         *       "after": {
         *         "status": "OUT_FOR_DELIVERY"
         *       },
         *       "requestId": "0f8c2d1a-3b4e-4c5d-8e9f-1a2b3c4d5e6f",
         *       "thing": "Order #1002",
         *       "changes": [
         *         "Status Paid to On Delivery"
         *       ]
         *     }
         */
        AuditEntry: {
            /** @description Increases with each entry */
            id: string;
            at: components["schemas"]["Time"];
            /** @description Null for the shop itself, or for a visitor */
            actor: components["schemas"]["AuditActor"] | null;
            action: string;
            targetKind: string;
            targetId: string | null;
            /** @description The previous values of changed fields; '(not kept)' replaces personal data */
            before: {
                [key: string]: unknown;
            } | null;
            after: {
                [key: string]: unknown;
            } | null;
            requestId: string | null;
            /** @description The current name of the entity */
            thing: string;
            /** @description The changes in words, one by one */
            changes: string[];
        };
        AuditPage: {
            content: components["schemas"]["AuditEntry"][];
            pageable: components["schemas"]["Pageable"];
            totalPages: number;
            totalElements: number;
        };
        AuditFilters: {
            /** @description All actions that occur in the log */
            actions: string[];
            /** @description Everyone who is or was staff */
            actors: components["schemas"]["AuditActor"][];
        };
        AuditAnswer: {
            message: components["schemas"]["Message"];
            data: {
                entries: components["schemas"]["AuditPage"];
                filters: components["schemas"]["AuditFilters"];
            };
        };
        /**
         * @description In test mode no real money moves
         * @enum {string}
         */
        PaymentMode: "test" | "live";
        /**
         * @example {
         *       "provider": "stripe",
         *       "mode": "live",
         *       "key": "ok",
         *       "keyCheckedAt": "2026-03-02T09:30:00.000Z",
         *       "webhookLastSeenAt": "2026-03-02T09:26:00.000Z",
         *       "webhookUrl": "https://shop.example/api/payments/webhook",
         *       "events": [
         *         "checkout.session.completed",
         *         "refund.created"
         *       ]
         *     }
         */
        PaymentStatus: {
            /**
             * @description sandbox: the test provider of the shop
             * @enum {string}
             */
            provider: "stripe" | "sandbox";
            mode: components["schemas"]["PaymentMode"];
            /**
             * @description unchecked: the provider has not answered since the key was set
             * @enum {string}
             */
            key: "ok" | "wrong" | "unchecked";
            /** Format: date-time */
            keyCheckedAt: string | null;
            /**
             * Format: date-time
             * @description When the last event arrived
             */
            webhookLastSeenAt: string | null;
            /**
             * Format: uri
             * @description The address to enter at the provider
             */
            webhookUrl: string;
            /** @description The events to send to the address */
            events: string[];
        };
        "PaymentStatusAnswer-2": {
            message: components["schemas"]["Message"];
            data: {
                payments: components["schemas"]["PaymentStatus"];
            };
        };
        /** @description The end of its address, /pages/… */
        Slug: string;
        /**
         * @example {
         *       "slug": "shipping-returns",
         *       "title": "Shipping & Returns",
         *       "html": "<p>We pack orders on business days.</p>",
         *       "changedAt": "2026-11-18T15:04:05.000Z"
         *     }
         */
        ShopPage: {
            slug: components["schemas"]["Slug"];
            title: string;
            /** @description Safe in any page. Headings start at h2, because the title is the h1 */
            html: string;
            changedAt: components["schemas"]["Time"];
        };
        PagesAnswer: {
            message: components["schemas"]["Message"];
            data: {
                pages: {
                    content: components["schemas"]["ShopPage"][];
                    pageable: components["schemas"]["Pageable"];
                    totalPages: number;
                    totalElements: number;
                };
            };
        };
        PageAnswer: {
            message: components["schemas"]["Message"];
            data: {
                page: components["schemas"]["ShopPage"];
            };
        };
        /**
         * @example {
         *       "id": "6f1c0b52-7d3e-4a98-b0e4-5c2a9d8f1e63",
         *       "slug": "shipping-returns",
         *       "title": "Shipping & Returns",
         *       "isPublished": true,
         *       "position": 0,
         *       "changedAt": "2026-11-18T15:04:05.000Z"
         *     }
         */
        ListedPage: {
            id: components["schemas"]["Uuid"];
            slug: components["schemas"]["Slug"];
            title: string;
            isPublished: boolean;
            /** @description Its place in the list, from 0 */
            position: number;
            changedAt: components["schemas"]["Time"];
        };
        StaffPagesAnswer: {
            message: components["schemas"]["Message"];
            data: {
                pages: {
                    content: components["schemas"]["ListedPage"][];
                    pageable: components["schemas"]["Pageable"];
                    totalPages: number;
                    totalElements: number;
                };
            };
        };
        /**
         * @example {
         *       "slug": "shipping-returns",
         *       "title": "Shipping & Returns",
         *       "markdown": "We pack orders on business days.",
         *       "isPublished": false
         *     }
         */
        PageForm: {
            slug: string;
            title: string;
            /** @description A published page may have no blanks, such as `[your email]` */
            markdown: string;
            isPublished: boolean;
            /** @description From 0; a new page is last by default */
            position?: number;
            /** @description The version that the form shows */
            version?: number;
        };
        /**
         * @example {
         *       "id": "6f1c0b52-7d3e-4a98-b0e4-5c2a9d8f1e63",
         *       "slug": "shipping-returns",
         *       "title": "Shipping & Returns",
         *       "markdown": "We pack orders on business days.",
         *       "isPublished": true,
         *       "position": 0,
         *       "version": 3,
         *       "changedAt": "2026-11-18T15:04:05.000Z"
         *     }
         */
        StaffPage: {
            id: components["schemas"]["Uuid"];
            slug: components["schemas"]["Slug"];
            title: string;
            markdown: string;
            isPublished: boolean;
            /** @description Its place in the list, from 0 */
            position: number;
            /** @description Rises with each change, except of the position */
            version: number;
            changedAt: components["schemas"]["Time"];
        };
        StaffPageAnswer: {
            message: components["schemas"]["Message"];
            data: {
                page: components["schemas"]["StaffPage"];
            };
        };
        /**
         * @example {
         *       "markdown": "We pack orders on **business days**."
         *     }
         */
        PreviewedText: {
            markdown: string;
        };
        PreviewAnswer: {
            message: components["schemas"]["Message"];
            /**
             * @example {
             *       "html": "<p>We pack orders on <strong>business days</strong>.</p>"
             *     }
             */
            data: {
                html: string;
            };
        };
        /**
         * @example {
         *       "shopName": "Savory, Seasoning & Spices",
         *       "contactEmail": "hello@example.com",
         *       "contactPhone": "(555) 010-0142",
         *       "timeZone": "America/New_York",
         *       "secondFactorOfStaff": false,
         *       "lowStockThreshold": 10,
         *       "newCustomerUnits": 99,
         *       "newCustomerLimits": true,
         *       "territories": false,
         *       "units": "us",
         *       "bannerTitle": "Savory, Seasoning & Spices",
         *       "bannerText": "Flavor your world with our savory sensations!",
         *       "aboutText": "We are a Gambian-owned shop for savory seasonings and spices.",
         *       "palette": "crimson",
         *       "storeAddress": "",
         *       "collectsNoTax": false
         *     }
         */
        Settings: {
            shopName: string;
            contactEmail: string;
            /** @description May be empty */
            contactPhone: string;
            /** @description A name of the IANA list, such as America/New_York; stored under the zone's current name */
            timeZone: string;
            /** @description Whether staff need a second factor */
            secondFactorOfStaff: boolean;
            /** @description Products with at most this many units are on the low-stock list of the back office */
            lowStockThreshold: number;
            /** @description Maximum units of a product for customers who have never paid an order here; 99: no limit */
            newCustomerUnits: number;
            /** @description Whether customers who have never paid can reserve only a part of the stock per network */
            newCustomerLimits: boolean;
            /** @description Whether addresses can also be in PR, VI, GU, AS, MP, AA, AE, and AP */
            territories: boolean;
            /**
             * @description Of sizes and unit prices; us: ounces, pounds, fluid ounces
             * @enum {string}
             */
            units: "us" | "metric";
            /** @description The title of the home page; while it is the initial one, the page shows the shop name */
            bannerTitle: string;
            /** @description The sentence below it; may be empty */
            bannerText: string;
            /** @description About Us of the home page, in Markdown */
            aboutText: string;
            /**
             * @description The shop's colors
             * @enum {string}
             */
            palette: "crimson" | "indigo" | "green" | "blue" | "plum" | "clay";
            /** @description Of several lines, for receipts and emails; may be empty */
            storeAddress: string;
            /** @description The owner confirmed that no state needs a tax rate; rates that are set still apply */
            collectsNoTax: boolean;
        };
        /**
         * @description The logo in twice the size of the page's header
         * @example {
         *       "src": "/pictures/5f1d3c7a9b2e4d6f8a0c1b3d5e7f9a2b-96.webp",
         *       "width": 96,
         *       "height": 96
         *     }
         */
        Logo: {
            /** @description Its URL, which changes with the logo */
            src: string;
            width: number;
            height: number;
        };
        /**
         * @description none: no mail server is set, so emails are not sent
         * @enum {string}
         */
        MailServerState: "working" | "failing" | "none";
        SettingsAnswer: {
            message: components["schemas"]["Message"];
            data: {
                settings: components["schemas"]["Settings"];
                logo: components["schemas"]["Logo"] | null;
                /** @description Whether a mail server is set; without one no email is sent */
                sendsMail: boolean;
                mailState?: components["schemas"]["MailServerState"];
                paymentMode: components["schemas"]["PaymentMode"];
            };
        };
        /**
         * @description Fields added later may be omitted and then stay unchanged
         * @example {
         *       "shopName": "Savory, Seasoning & Spices",
         *       "contactEmail": "hello@example.com",
         *       "contactPhone": "(555) 010-0142",
         *       "timeZone": "America/New_York",
         *       "secondFactorOfStaff": false,
         *       "lowStockThreshold": 10,
         *       "newCustomerUnits": 99,
         *       "newCustomerLimits": true,
         *       "territories": false,
         *       "units": "us",
         *       "bannerTitle": "Savory, Seasoning & Spices",
         *       "bannerText": "Flavor your world with our savory sensations!",
         *       "aboutText": "We are a Gambian-owned shop for savory seasonings and spices.",
         *       "palette": "crimson",
         *       "storeAddress": "",
         *       "collectsNoTax": false
         *     }
         */
        NewSettings: {
            shopName: string;
            contactEmail: string;
            /** @description May be empty */
            contactPhone: string;
            /** @description A name of the IANA list, such as America/New_York; stored under the zone's current name */
            timeZone: string;
            /** @description Whether staff need a second factor */
            secondFactorOfStaff: boolean;
            /** @description Products with at most this many units are on the low-stock list of the back office */
            lowStockThreshold: number;
            /** @description Maximum units of a product for customers who have never paid an order here; 99: no limit */
            newCustomerUnits?: number;
            /** @description Whether customers who have never paid can reserve only a part of the stock per network */
            newCustomerLimits?: boolean;
            /** @description Whether addresses can also be in PR, VI, GU, AS, MP, AA, AE, and AP */
            territories?: boolean;
            /**
             * @description Of sizes and unit prices; us: ounces, pounds, fluid ounces
             * @enum {string}
             */
            units?: "us" | "metric";
            /** @description The title of the home page; while it is the initial one, the page shows the shop name */
            bannerTitle?: string;
            /** @description The sentence below it; may be empty */
            bannerText?: string;
            /** @description About Us of the home page, in Markdown */
            aboutText?: string;
            /**
             * @description The shop's colors
             * @enum {string}
             */
            palette?: "crimson" | "indigo" | "green" | "blue" | "plum" | "clay";
            /** @description Of several lines, for receipts and emails; may be empty */
            storeAddress?: string;
            /** @description The owner confirmed that no state needs a tax rate; rates that are set still apply */
            collectsNoTax?: boolean;
        };
        /**
         * @description none: not encrypted; starttls: encrypted after the greeting, or not at all; tls: from the start
         * @enum {string}
         */
        MailSecurity: "none" | "starttls" | "tls";
        /**
         * @description Why no email can be sent
         * @example {
         *       "reason": "login",
         *       "response": "535 5.7.8 Authentication failed",
         *       "at": "2026-03-02T10:01:12.000Z"
         *     }
         */
        MailServerFailure: {
            /**
             * @description password: the stored one cannot be read, since the key outside the database is another one
             * @enum {string}
             */
            reason: "unreachable" | "slow" | "security" | "login" | "sender" | "password" | "refused";
            /** @description What the server or the connection reported, without email addresses */
            response: string;
            at: components["schemas"]["Time"];
        };
        /**
         * @example {
         *       "host": "smtp.example.com",
         *       "port": 587,
         *       "security": "starttls",
         *       "user": "shop@example.com",
         *       "hasPassword": true,
         *       "sender": "shop@example.com",
         *       "isFixed": false,
         *       "state": "working",
         *       "failure": null,
         *       "workedAt": "2026-03-02T10:01:12.000Z",
         *       "waiting": 0
         *     }
         */
        EmailSettings: {
            /** @description Empty if no mail server is set */
            host: string;
            port: number;
            security: components["schemas"]["MailSecurity"];
            /** @description Empty without a login */
            user: string;
            hasPassword: boolean;
            /** @description The address that emails come from */
            sender: string;
            /** @description Set by SMTP_URL, so it cannot be changed here */
            isFixed: boolean;
            state: components["schemas"]["MailServerState"];
            /** @description Null unless the state is failing */
            failure: components["schemas"]["MailServerFailure"] | null;
            /**
             * Format: date-time
             * @description When it first worked since it last failed
             */
            workedAt: string | null;
            /** @description Emails that wait for another attempt */
            waiting: number;
        };
        EmailSettingsAnswer: {
            message: components["schemas"]["Message"];
            data: {
                email: components["schemas"]["EmailSettings"];
            };
        };
        /**
         * @example {
         *       "host": "smtp.example.com",
         *       "port": 587,
         *       "security": "starttls",
         *       "user": "shop@example.com",
         *       "password": "tarragon and thyme 3",
         *       "sender": "shop@example.com",
         *       "currentPassword": "cloves and mace 22"
         *     }
         */
        NewEmailSettings: {
            host: string;
            port: number;
            security: components["schemas"]["MailSecurity"];
            /** @description Empty or omitted without a login */
            user?: string;
            /** @description Of the mail server; written only */
            password?: string;
            sender: string;
            /** @description The owner's own password */
            currentPassword: string;
            /** @description One-time or recovery code; required if the second factor is on */
            otp?: string;
        };
        /**
         * @example {
         *       "password": "cloves and mace 22",
         *       "otp": "123456"
         *     }
         */
        MailServerProof: {
            /** @description The owner's own password */
            password: string;
            /** @description One-time or recovery code; required if the second factor is on */
            otp?: string;
        };
        /**
         * @example {
         *       "to": "owner@example.com"
         *     }
         */
        TestEmail: {
            to: string;
        };
        TestEmailAnswer: {
            message: components["schemas"]["Message"];
            /**
             * @example {
             *       "accepted": true,
             *       "response": "250 2.0.0 Ok"
             *     }
             */
            data: {
                accepted: boolean;
                /** @description The server's own answer, such as 250 2.0.0 Ok */
                response: string;
            };
        };
        /**
         * @example {
         *       "isOn": true,
         *       "hour": 3,
         *       "days": 7,
         *       "weeks": 4
         *     }
         */
        BackupSchedule: {
            /** @description Whether the shop is backed up every night */
            isOn: boolean;
            /** @description Of the day, in the shop's time zone */
            hour: number;
            /** @description Days whose newest backup is kept */
            days: number;
            /** @description Weeks whose newest backup is kept */
            weeks: number;
        };
        BackupScheduleAnswer: {
            message: components["schemas"]["Message"];
            data: {
                schedule: components["schemas"]["BackupSchedule"];
            };
        };
        /**
         * @example {
         *       "id": "5b0e6f5c-0b1f-4c1e-9d53-8b7d7c9f2a10",
         *       "state": "good",
         *       "cause": "nightly",
         *       "startedBy": null,
         *       "startedAt": "2026-03-02T08:00:04.000Z",
         *       "finishedAt": "2026-03-02T08:00:09.000Z",
         *       "bytes": 84000000,
         *       "isVerified": true,
         *       "verifiedAt": "2026-03-02T08:00:09.000Z",
         *       "isHere": true,
         *       "folder": "/srv/shop/data/backups/2026-03-02T08-00-04",
         *       "problem": null
         *     }
         */
        Backup: {
            id: components["schemas"]["Uuid"];
            /** @enum {string} */
            state: "waiting" | "running" | "good" | "failed" | "damaged";
            /**
             * @description command: by `npm run backup` on the server
             * @enum {string}
             */
            cause: "nightly" | "asked" | "command";
            /** @description The name of who asked for it */
            startedBy: string | null;
            startedAt: components["schemas"]["Time"];
            /** Format: date-time */
            finishedAt: string | null;
            bytes: number | null;
            /** @description Whether the last time it was read back nothing had changed */
            isVerified: boolean;
            /** Format: date-time */
            verifiedAt: string | null;
            /** @description Whether the process that answers can read it */
            isHere: boolean;
            /** @description Where it is on the server, for `npm run restore` */
            folder: string | null;
            /** @description Why it failed */
            problem: string | null;
        };
        BackupsAnswer: {
            message: components["schemas"]["Message"];
            data: {
                backups: components["schemas"]["Backup"][];
                schedule: components["schemas"]["BackupSchedule"];
                /**
                 * Format: date-time
                 * @description When the newest good backup began
                 */
                lastGoodAt: string | null;
                /** @description Whether backups are on and the newest good one is older than 26 hours */
                isOverdue: boolean;
            };
        };
        BackupAnswer: {
            message: components["schemas"]["Message"];
            data: {
                backup: components["schemas"]["Backup"];
            };
        };
        /**
         * @example {
         *       "password": "pepper and salt 1",
         *       "otp": "123456"
         *     }
         */
        BackupProof: {
            /** @description The current password */
            password: string;
            /** @description One-time or recovery code; required with a second factor */
            otp?: string;
        };
        /**
         * @example {
         *       "url": "/api/admin/backups/5b0e6f5c-0b1f-4c1e-9d53-8b7d7c9f2a10/file?token=m1x",
         *       "expiresAt": "2026-03-02T08:01:00.000Z"
         *     }
         */
        BackupLink: {
            /** @description A path on the shop's address */
            url: string;
            expiresAt: components["schemas"]["Time"];
        };
        BackupLinkAnswer: {
            message: components["schemas"]["Message"];
            data: {
                link: components["schemas"]["BackupLink"];
            };
        };
        LogoForm: {
            /** @example logo.png */
            file: unknown;
        };
        ShopDelivery: {
            id: components["schemas"]["Uuid"];
            name: string;
            description: string;
            price: components["schemas"]["Money"];
            freeFrom: number | null;
            /** @description Two letters each; null: all */
            states: string[] | null;
        };
        ShopTaxRate: {
            state: string;
            /** @description In percent */
            rate: number;
            taxesDelivery: boolean;
        };
        /**
         * @description Delivery and tax terms for computing a total while offline; empty if none are set
         * @example {
         *       "deliveryMethods": [],
         *       "taxRates": [],
         *       "takesCodes": false
         *     }
         */
        ShopCheckout: {
            deliveryMethods: components["schemas"]["ShopDelivery"][];
            taxRates: components["schemas"]["ShopTaxRate"][];
            /** @description Whether any discount code can be used */
            takesCodes: boolean;
        };
        ShopPageLink: {
            slug: string;
            title: string;
        };
        /**
         * @description What the owner hasn't changed of the texts and the look is left out
         * @example {
         *       "name": "Savory, Seasoning & Spices",
         *       "contactEmail": "hello@example.com",
         *       "contactPhone": "(555) 010-0142",
         *       "timeZone": "America/New_York",
         *       "units": "us"
         *     }
         */
        Shop: {
            name: string;
            contactEmail: string;
            /** @description May be empty */
            contactPhone: string;
            /** @description For displaying times of orders, such as America/New_York */
            timeZone: string;
            /**
             * @description Of sizes and unit prices
             * @enum {string}
             */
            units: "us" | "metric";
            /** @description Absent: the name */
            bannerTitle?: string;
            /** @description Absent: the initial one */
            bannerText?: string;
            /** @description About Us of the home page, as HTML; absent: the initial one */
            aboutHtml?: string;
            /** @description For search engines, from About Us; absent: the initial one */
            description?: string;
            /**
             * @description The shop's colors
             * @enum {string}
             */
            palette?: "crimson" | "indigo" | "green" | "blue" | "plum" | "clay";
            /** @description Whether addresses can also be in PR, VI, GU, AS, MP, AA, AE, and AP; absent: they cannot */
            territories?: boolean;
            /** @description Of several lines; absent: none */
            storeAddress?: string;
            logo?: components["schemas"]["Logo"];
            checkout?: components["schemas"]["ShopCheckout"];
            /** @description The published pages, in footer order */
            pages?: components["schemas"]["ShopPageLink"][];
        };
        ShopAnswer: {
            message: components["schemas"]["Message"];
            data: {
                shop: components["schemas"]["Shop"];
            };
        };
        /**
         * @example event: hello
         *     data: {"build":"b1946ac92492d234","userId":null}
         *
         *     event: catalog
         *     data: {"position":118}
         */
        LiveEvents: string;
        /**
         * @example {
         *       "message": "Payment settings",
         *       "data": {
         *         "publishableKey": null
         *       }
         *     }
         */
        PaymentSettingsAnswer: {
            message: components["schemas"]["Message"];
            data: {
                /** @description null: the provider's script is not loaded */
                publishableKey: string | null;
            };
        };
        /**
         * @description In the provider's format, so additional properties are allowed
         * @example {
         *       "id": "evt_1",
         *       "type": "checkout.session.completed",
         *       "data": {
         *         "object": {
         *           "id": "cs_test_1"
         *         }
         *       }
         *     }
         */
        PaymentEvent: {
            [key: string]: unknown;
        };
    };
    responses: {
        /** @description An error with a message to show and a code for programs. */
        Problem: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The client's copy is current. */
        NotModified: {
            headers: {
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content?: never;
        };
    };
    parameters: {
        /** @description Proves that the caller has the private key of a P-256 pair: a JWT (RFC 9449) of type dpop+jwt, signed with ES256, with the public key as `jwk` in its header and the claims htm, htu, jti, iat and nonce. */
        Proof: string;
        /** @example 6f1c2a34-8b1d-4c57-9e21-5a0b3c7d9e10 */
        OwnUserId: string;
        /**
         * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
         * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
         */
        IdempotencyKey: string;
        /** @example 3f8b6c1d-7e24-4a95-b0c3-8d5e2f9a1b74 */
        ListId: string;
        /** @example 9d2e7b14-6c8f-4e03-b5a1-3f7c9e0d2b68 */
        ListedProductId: string;
        /** @description Page number, from 0 */
        Page: number;
        /** @description Rows per page */
        Size: number;
        /** @example 3f5a9c1e-7b24-4d86-a0e3-6c8d2b4f9175 */
        MessageId: string;
        /** @description The ETag of the client's copy */
        IfNoneMatch: string;
        /** @description Only rows that contain this text, ignoring case */
        Search: string;
        /** @description Sort direction */
        Direction: "asc" | "desc";
        /** @example 1e5f8c27-3a9b-4d60-8f12-6b4c7d9e0a35 */
        CategoryId: string;
        /**
         * @description Only products with one of these heat levels
         * @example [
         *       2,
         *       3
         *     ]
         */
        Heat: number[];
        /**
         * @description Only products from one of these origins; encode a comma within a name as %2C
         * @example [
         *       "The Gambia",
         *       "Senegal"
         *     ]
         */
        Origin: string[];
        /**
         * @description Only products with none of these allergens
         * @example [
         *       "peanut"
         *     ]
         */
        WithoutAllergens: string[];
        /**
         * @description Only products of one of these forms
         * @example [
         *       "whole",
         *       "ground"
         *     ]
         */
        Form: ("whole" | "ground" | "blend" | "paste" | "liquid" | "leaf")[];
        /** @description Only products with a former price */
        OnSale: boolean;
        /** @description Only products that can be bought now */
        InStock: boolean;
        /**
         * @description The order of the list. `featured` is by createdAt, then id. `bestsellers` is by bestsellerRank, and `heat` by heatLevel; products without one come last, and equal ones are in featured order. `newest` is the reverse of featured. Prices and names are followed by the id.
         * @example price_asc
         */
        Sort: "featured" | "bestsellers" | "newest" | "price_asc" | "price_desc" | "heat" | "name";
        /** @description `grouped` returns one product per group of sizes: of those that match, the cheapest that can be bought now, or the cheapest if none can. Totals, pages, and counts then count groups. Without it every size is a product of its own */
        Sizes: "grouped";
        /** @example 9d2e7b14-6c8f-4e03-b5a1-3f7c9e0d2b68 */
        ProductId: string;
        /**
         * @description Only products of the category with this name
         * @example savory
         */
        Category: components["schemas"]["CategoryName"];
        /** @description Only available products, or only unavailable ones */
        Availability: "available" | "notAvailable";
        /** @description Only products with at most as many units as the threshold in the settings */
        LowStock: boolean;
        /**
         * @description Only products of exactly this supplier
         * @example Gambia Spice Co.
         */
        Supplier: string;
        /**
         * @description Only products with exactly this tag
         * @example holiday
         */
        Tag: string;
        /** @description Without archived products, only archived ones, or all */
        Archived: "no" | "yes" | "all";
        "Sort-2": "createdAt" | "name" | "price" | "unitCost" | "availability" | "quantity" | "category";
        /** @example 4b1e7c20-93d5-4a8f-b6e1-0c5d2f7a9e34 */
        ImportId: string;
        /** @example 52c8e6b0-7d1f-4a39-9b84-0e3f6a2d5c71 */
        AddressId: string;
        /**
         * @description Part of the name or of the email address
         * @example Awa
         */
        UserSearch: string;
        /** @description Only users with this role */
        RoleFilter: components["schemas"]["Role"];
        /** @description Only enabled users, or only disabled ones */
        EnabledFilter: boolean;
        /** @description Only customers with this tag of staff, in any case of its letters */
        TagFilter: string;
        /** @description Sort column of the list */
        UserSort: "fullName" | "email" | "createdAt" | "status" | "role";
        /** @description Sort direction */
        DirectionDown: "asc" | "desc";
        /** @example 6f1c2a34-8b1d-4c57-9e21-5a0b3c7d9e10 */
        CustomerId: string;
        /**
         * @description As set by the provider in the return URL; without it the response says what is missing
         * @example cs_test_a1b2c3
         */
        PaymentSessionId: string;
        /** @example a73d0f5c-9e24-4b18-8d6f-1c5b2e7a9043 */
        OrderId: string;
        /**
         * @description A part of the order number, with or without #, of the customer's name, company, email, or street, or of a product's name; a whole SKU; or at least 8 characters of a tracking number or a payment id
         * @example Awa
         */
        OrderSearch: string;
        /** @description Only orders in this state */
        OrderStatusFilter: components["schemas"]["OrderStatus"];
        /** @description The event that `from` and `to` apply to. created: placed; paid: paid; refunded: refunded; money: paid or refunded. */
        OrderPeriod: "created" | "paid" | "refunded" | "money";
        /** @description Only orders of this account */
        OrderCustomer: components["schemas"]["Uuid"];
        /** @description Only orders with this discount code */
        OrderDiscount: components["schemas"]["Uuid"];
        /**
         * @description Only orders with this product. With `by` and a refund event: refunds that include it. `delivery`: orders that paid for delivery or got some of it refunded; `none`: orders with a refund of an amount instead of lines.
         * @example delivery
         */
        OrderProduct: string;
        /**
         * @description The same for the category that a line had when it was sold
         * @example delivery
         */
        OrderCategory: string;
        /** @description Only orders to this state (two letters) */
        OrderState: string;
        /**
         * @description Only orders with sales tax of this state; with `by` refunded, only those with some of that tax refunded
         * @example GA
         */
        OrderTaxState: components["schemas"]["StateCode"];
        /** @description Only paid orders with units left to ship */
        OrderToShip: boolean;
        /**
         * @description Only these orders
         * @example [
         *       "9d2e7b14-6c8f-4e03-b5a1-3f7c9e0d2b68"
         *     ]
         */
        OrderIds: components["schemas"]["Uuid"][];
        /**
         * @description First day included, in the shop's time zone
         * @example 2026-03-01
         */
        FromDay: components["schemas"]["Day"];
        /**
         * @description Last day included, in the shop's time zone
         * @example 2026-03-31
         */
        ToDay: components["schemas"]["Day"];
        /** @description Sort column of the list */
        OrderSort: "orderNumber" | "createdAt" | "customer" | "totalAmount" | "status";
        /** @description A row per order if left out. With lines, a row per line: its share of the order's discount, delivery, tax and refunds, which add up to the order's */
        OrderFileForm: "lines";
        /**
         * @description The chosen orders; repeated ids count once
         * @example [
         *       "a73d0f5c-9e24-4b18-8d6f-1c5b2e7a9043"
         *     ]
         */
        ChosenOrders: string[];
        /** @example 4d0a7e63-5b2c-4f19-8e7a-6c9d1b3f5a28 */
        ParcelId: string;
        /** @example 4c8b1f6e-2a97-4d35-8e0c-7b6f3d9a1e52 */
        MailId: string;
        /** @example 2b7e9c14-5d83-4f06-a1c9-8e3d6f0b7a52 */
        DeliveryMethodId: components["schemas"]["Uuid"];
        /**
         * @description Two letters of a state of the shop
         * @example GA
         */
        State: components["schemas"]["StateCode"];
        /** @description Ends today, including it, except lastMonth. month: since the first of the month; lastMonth: the whole month before; year: since January 1; 12months: this month and the previous eleven */
        Period: "today" | "7days" | "30days" | "90days" | "month" | "lastMonth" | "year" | "12months" | "custom";
        /** @description Adds a page of rows. The figures of all rows add up to those of the summary */
        SummaryBy: components["schemas"]["SummaryBy"];
        /** @example product */
        By: components["schemas"]["ReportBy"];
        /** @description Only codes in this state */
        DiscountStatusFilter: components["schemas"]["DiscountStatus"];
        /** @description Sort column of the list */
        DiscountSort: "createdAt" | "code" | "uses" | "revenue";
        /** @example 3f6b1d2e-7a48-4c95-8e10-5d9c2b7f4a61 */
        DiscountId: string;
        /** @description Only actions of this user */
        Actor: string;
        /** @description Only this action, such as `user.role_changed` */
        Action: string;
        /**
         * @description Only actions on this kind of entity
         * @example order
         */
        TargetKind: string;
        /** @description Only actions on this entity; requires its kind */
        TargetId: string;
        /** @example 6f1c0b52-7d3e-4a98-b0e4-5c2a9d8f1e63 */
        PageId: components["schemas"]["Uuid"];
        /** @example 5b0e6f5c-0b1f-4c1e-9d53-8b7d7c9f2a10 */
        BackupId: string;
    };
    requestBodies: never;
    headers: {
        /** @description Changes whenever the response changes */
        ETag: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    login: {
        parameters: {
            query?: never;
            header?: {
                /** @description Proves that the caller has the private key of a P-256 pair: a JWT (RFC 9449) of type dpop+jwt, signed with ES256, with the public key as `jwk` in its header and the claims htm, htu, jti, iat and nonce. */
                DPoP?: components["parameters"]["Proof"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Credentials"];
            };
        };
        responses: {
            /** @description The signed-in user, and the tokens. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    register: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Registration"];
            };
        };
        responses: {
            /** @description The new user. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    logout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmptyBody"];
            };
        };
        responses: {
            /** @description Logged out. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    refreshToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description Proves that the caller has the private key of a P-256 pair: a JWT (RFC 9449) of type dpop+jwt, signed with ES256, with the public key as `jwk` in its header and the claims htm, htu, jti, iat and nonce. */
                DPoP?: components["parameters"]["Proof"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RefreshRequest"];
            };
        };
        responses: {
            /** @description The new tokens, and their user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    getNonce: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The nonce is in the header. */
            200: {
                headers: {
                    "DPoP-Nonce": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordReset"];
            };
        };
        responses: {
            /** @description The link has been queued for mailing, or the password has been changed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    proveEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmailProof"];
            };
        };
        responses: {
            /** @description The account's address is proven. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    sendProofLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmptyBody"];
            };
        };
        responses: {
            /** @description The link has been queued for mailing. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPassword"];
            };
        };
        responses: {
            /** @description The account exists. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    takeOverAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Takeover"];
            };
        };
        responses: {
            /** @description There is a new, empty account with the address. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    beginSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordProof"];
            };
        };
        responses: {
            /** @description The secret for an authenticator app. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecondFactorAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    confirmSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OneTimeCode"];
            };
        };
        responses: {
            /** @description Ten recovery codes, shown only once. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodesAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    newRecoveryCodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecondFactorProof"];
            };
        };
        responses: {
            /** @description Ten recovery codes, shown only once. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodesAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    disableSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecondFactorProof"];
            };
        };
        responses: {
            /** @description The second factor is off, and its recovery codes are deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    getCart: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 6f1c2a34-8b1d-4c57-9e21-5a0b3c7d9e10 */
                userId: components["parameters"]["OwnUserId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The cart. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CartAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    addCartItem: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 6f1c2a34-8b1d-4c57-9e21-5a0b3c7d9e10 */
                userId: components["parameters"]["OwnUserId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewCartItem"];
            };
        };
        responses: {
            /** @description The whole cart. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CartAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    updateCartItem: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CartItemUpdate"];
            };
        };
        responses: {
            /** @description The current line; null when it is gone. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CartItemAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    removeCartItem: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 6f1c2a34-8b1d-4c57-9e21-5a0b3c7d9e10 */
                userId: components["parameters"]["OwnUserId"];
                /** @example c4a9d1e7-2b35-5f68-9a04-7e1b8c3d6f52 */
                cartItemId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The cart without the line. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CartAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    clearCart: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 6f1c2a34-8b1d-4c57-9e21-5a0b3c7d9e10 */
                userId: components["parameters"]["OwnUserId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The empty cart. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CartAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    listLists: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 6f1c2a34-8b1d-4c57-9e21-5a0b3c7d9e10 */
                userId: components["parameters"]["OwnUserId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The lists. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListsAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    createList: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 6f1c2a34-8b1d-4c57-9e21-5a0b3c7d9e10 */
                userId: components["parameters"]["OwnUserId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewList"];
            };
        };
        responses: {
            /** @description The list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    renameList: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 6f1c2a34-8b1d-4c57-9e21-5a0b3c7d9e10 */
                userId: components["parameters"]["OwnUserId"];
                /** @example 3f8b6c1d-7e24-4a95-b0c3-8d5e2f9a1b74 */
                listId: components["parameters"]["ListId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ListName"];
            };
        };
        responses: {
            /** @description The list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    deleteList: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 6f1c2a34-8b1d-4c57-9e21-5a0b3c7d9e10 */
                userId: components["parameters"]["OwnUserId"];
                /** @example 3f8b6c1d-7e24-4a95-b0c3-8d5e2f9a1b74 */
                listId: components["parameters"]["ListId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The list is deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    orderList: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 6f1c2a34-8b1d-4c57-9e21-5a0b3c7d9e10 */
                userId: components["parameters"]["OwnUserId"];
                /** @example 3f8b6c1d-7e24-4a95-b0c3-8d5e2f9a1b74 */
                listId: components["parameters"]["ListId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ListOrder"];
            };
        };
        responses: {
            /** @description The list in its new order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    setListItem: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 6f1c2a34-8b1d-4c57-9e21-5a0b3c7d9e10 */
                userId: components["parameters"]["OwnUserId"];
                /** @example 3f8b6c1d-7e24-4a95-b0c3-8d5e2f9a1b74 */
                listId: components["parameters"]["ListId"];
                /** @example 9d2e7b14-6c8f-4e03-b5a1-3f7c9e0d2b68 */
                productId: components["parameters"]["ListedProductId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ListItemFields"];
            };
        };
        responses: {
            /** @description The whole list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    removeListItem: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 6f1c2a34-8b1d-4c57-9e21-5a0b3c7d9e10 */
                userId: components["parameters"]["OwnUserId"];
                /** @example 3f8b6c1d-7e24-4a95-b0c3-8d5e2f9a1b74 */
                listId: components["parameters"]["ListId"];
                /** @example 9d2e7b14-6c8f-4e03-b5a1-3f7c9e0d2b68 */
                productId: components["parameters"]["ListedProductId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The list without the product. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    sendBatch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Batch"];
            };
        };
        responses: {
            /** @description The response to each change, in order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    createContactMessage: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactMessage"];
            };
        };
        responses: {
            /** @description The message is saved, and a mail to its sender is queued. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    listMessages: {
        parameters: {
            query?: {
                /** @description Page number, from 0 */
                page?: components["parameters"]["Page"];
                /** @description Rows per page */
                size?: components["parameters"]["Size"];
                /** @description Part of the name, the email address or the message */
                q?: string;
                /** @description Only messages in this state */
                state?: components["schemas"]["MessageState"];
                /** @description Only messages that this account wrote while logged in, or that were sent from its email */
                customer?: components["schemas"]["Uuid"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of messages. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessagesAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    getMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 3f5a9c1e-7b24-4d86-a0e3-6c8d2b4f9175 */
                messageId: components["parameters"]["MessageId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The message. Reading does not mark it as read. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboxMessageAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    setMessageState: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 3f5a9c1e-7b24-4d86-a0e3-6c8d2b4f9175 */
                messageId: components["parameters"]["MessageId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageStateChange"];
            };
        };
        responses: {
            /** @description The updated message. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboxMessageAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    replyToMessage: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 3f5a9c1e-7b24-4d86-a0e3-6c8d2b4f9175 */
                messageId: components["parameters"]["MessageId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewReply"];
            };
        };
        responses: {
            /** @description The message with all its answers; the mail is queued. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboxMessageAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    listCategories: {
        parameters: {
            query?: {
                /** @description Page number, from 0 */
                page?: components["parameters"]["Page"];
                /** @description Rows per page */
                size?: components["parameters"]["Size"];
            };
            header?: {
                /** @description The ETag of the client's copy */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of categories. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CategoriesAnswer"];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Problem"];
        };
    };
    listCategoriesForStaff: {
        parameters: {
            query?: {
                /** @description Only rows that contain this text, ignoring case */
                q?: components["parameters"]["Search"];
                sort?: "createdAt" | "name" | "description" | "products";
                /** @description Sort direction */
                direction?: components["parameters"]["Direction"];
                /** @description Page number, from 0 */
                page?: components["parameters"]["Page"];
                /** @description Rows per page */
                size?: components["parameters"]["Size"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of categories. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffCategoriesAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    exportCategories: {
        parameters: {
            query?: {
                /** @description Only rows that contain this text, ignoring case */
                q?: components["parameters"]["Search"];
                sort?: "createdAt" | "name" | "description" | "products";
                /** @description Sort direction */
                direction?: components["parameters"]["Direction"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": components["schemas"]["Csv"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    createCategory: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewCategory"];
            };
        };
        responses: {
            /** @description The new category. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CategoryAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    getCategory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 1e5f8c27-3a9b-4d60-8f12-6b4c7d9e0a35 */
                id: components["parameters"]["CategoryId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The category. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CategoryAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    updateCategory: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 1e5f8c27-3a9b-4d60-8f12-6b4c7d9e0a35 */
                id: components["parameters"]["CategoryId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CategoryForm"];
            };
        };
        responses: {
            /** @description The changed category. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CategoryAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    deleteCategory: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 1e5f8c27-3a9b-4d60-8f12-6b4c7d9e0a35 */
                id: components["parameters"]["CategoryId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The category is deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    listProducts: {
        parameters: {
            query?: {
                /** @description Page number, from 0 */
                page?: components["parameters"]["Page"];
                /** @description Rows per page */
                size?: components["parameters"]["Size"];
                /**
                 * @description Only products with one of these heat levels
                 * @example [
                 *       2,
                 *       3
                 *     ]
                 */
                heat?: components["parameters"]["Heat"];
                /**
                 * @description Only products from one of these origins; encode a comma within a name as %2C
                 * @example [
                 *       "The Gambia",
                 *       "Senegal"
                 *     ]
                 */
                origin?: components["parameters"]["Origin"];
                /**
                 * @description Only products with none of these allergens
                 * @example [
                 *       "peanut"
                 *     ]
                 */
                allergens?: components["parameters"]["WithoutAllergens"];
                /**
                 * @description Only products of one of these forms
                 * @example [
                 *       "whole",
                 *       "ground"
                 *     ]
                 */
                form?: components["parameters"]["Form"];
                /** @description Only products with a former price */
                onSale?: components["parameters"]["OnSale"];
                /** @description Only products that can be bought now */
                inStock?: components["parameters"]["InStock"];
                /**
                 * @description The order of the list. `featured` is by createdAt, then id. `bestsellers` is by bestsellerRank, and `heat` by heatLevel; products without one come last, and equal ones are in featured order. `newest` is the reverse of featured. Prices and names are followed by the id.
                 * @example price_asc
                 */
                sort?: components["parameters"]["Sort"];
                /** @description `grouped` returns one product per group of sizes: of those that match, the cheapest that can be bought now, or the cheapest if none can. Totals, pages, and counts then count groups. Without it every size is a product of its own */
                sizes?: components["parameters"]["Sizes"];
            };
            header?: {
                /** @description The ETag of the client's copy */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of products. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductsAnswer"];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Problem"];
        };
    };
    searchProducts: {
        parameters: {
            query?: {
                /**
                 * @description The search text
                 * @example domoda
                 */
                q?: string;
                /** @description Page number, from 0 */
                page?: components["parameters"]["Page"];
                /** @description Rows per page */
                size?: components["parameters"]["Size"];
                /** @description `grouped` returns one product per group of sizes: of those that match, the cheapest that can be bought now, or the cheapest if none can. Totals, pages, and counts then count groups. Without it every size is a product of its own */
                sizes?: components["parameters"]["Sizes"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of products. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductsAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    getProduct: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the client's copy */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @example 9d2e7b14-6c8f-4e03-b5a1-3f7c9e0d2b68 */
                id: components["parameters"]["ProductId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The product. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductAnswer"];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Problem"];
        };
    };
    getProductBySlug: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the client's copy */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @example domoda-peanut-base */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The product. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductAnswer"];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Problem"];
        };
    };
    listProductsByCategory: {
        parameters: {
            query?: {
                /** @description Page number, from 0 */
                page?: components["parameters"]["Page"];
                /** @description Rows per page */
                size?: components["parameters"]["Size"];
                /**
                 * @description Only products with one of these heat levels
                 * @example [
                 *       2,
                 *       3
                 *     ]
                 */
                heat?: components["parameters"]["Heat"];
                /**
                 * @description Only products from one of these origins; encode a comma within a name as %2C
                 * @example [
                 *       "The Gambia",
                 *       "Senegal"
                 *     ]
                 */
                origin?: components["parameters"]["Origin"];
                /**
                 * @description Only products with none of these allergens
                 * @example [
                 *       "peanut"
                 *     ]
                 */
                allergens?: components["parameters"]["WithoutAllergens"];
                /**
                 * @description Only products of one of these forms
                 * @example [
                 *       "whole",
                 *       "ground"
                 *     ]
                 */
                form?: components["parameters"]["Form"];
                /** @description Only products with a former price */
                onSale?: components["parameters"]["OnSale"];
                /** @description Only products that can be bought now */
                inStock?: components["parameters"]["InStock"];
                /**
                 * @description The order of the list. `featured` is by createdAt, then id. `bestsellers` is by bestsellerRank, and `heat` by heatLevel; products without one come last, and equal ones are in featured order. `newest` is the reverse of featured. Prices and names are followed by the id.
                 * @example price_asc
                 */
                sort?: components["parameters"]["Sort"];
                /** @description `grouped` returns one product per group of sizes: of those that match, the cheapest that can be bought now, or the cheapest if none can. Totals, pages, and counts then count groups. Without it every size is a product of its own */
                sizes?: components["parameters"]["Sizes"];
                /** @description Whether to also return how many products each filter value would leave */
                counts?: boolean;
            };
            header?: {
                /** @description The ETag of the client's copy */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @example savory */
                categoryName: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of products. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CategoryProductsAnswer"];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Problem"];
        };
    };
    getCatalogChanges: {
        parameters: {
            query?: {
                /** @description `next` of the previous response */
                since?: number;
            };
            header?: {
                /** @description The ETag of the client's copy */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state of changed categories and products. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogChangesAnswer"];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Problem"];
        };
    };
    createProduct: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 1e5f8c27-3a9b-4d60-8f12-6b4c7d9e0a35 */
                categoryId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["ProductForm"];
            };
        };
        responses: {
            /** @description The new product. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    updateProduct: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 9d2e7b14-6c8f-4e03-b5a1-3f7c9e0d2b68 */
                id: components["parameters"]["ProductId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["ProductForm"];
            };
        };
        responses: {
            /** @description The changed product. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    listProductsForStaff: {
        parameters: {
            query?: {
                /** @description Only rows that contain this text, ignoring case */
                q?: components["parameters"]["Search"];
                /**
                 * @description Only products of the category with this name
                 * @example savory
                 */
                category?: components["parameters"]["Category"];
                /** @description Only available products, or only unavailable ones */
                availability?: components["parameters"]["Availability"];
                /** @description Only products with at most as many units as the threshold in the settings */
                lowStock?: components["parameters"]["LowStock"];
                /**
                 * @description Only products of exactly this supplier
                 * @example Gambia Spice Co.
                 */
                supplier?: components["parameters"]["Supplier"];
                /**
                 * @description Only products with exactly this tag
                 * @example holiday
                 */
                tag?: components["parameters"]["Tag"];
                /** @description Without archived products, only archived ones, or all */
                archived?: components["parameters"]["Archived"];
                sort?: components["parameters"]["Sort-2"];
                /** @description Sort direction */
                direction?: components["parameters"]["Direction"];
                /** @description Page number, from 0 */
                page?: components["parameters"]["Page"];
                /** @description Rows per page */
                size?: components["parameters"]["Size"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of products. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffProductsAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    exportProducts: {
        parameters: {
            query?: {
                /** @description Only rows that contain this text, ignoring case */
                q?: components["parameters"]["Search"];
                /**
                 * @description Only products of the category with this name
                 * @example savory
                 */
                category?: components["parameters"]["Category"];
                /** @description Only available products, or only unavailable ones */
                availability?: components["parameters"]["Availability"];
                /** @description Only products with at most as many units as the threshold in the settings */
                lowStock?: components["parameters"]["LowStock"];
                /**
                 * @description Only products of exactly this supplier
                 * @example Gambia Spice Co.
                 */
                supplier?: components["parameters"]["Supplier"];
                /**
                 * @description Only products with exactly this tag
                 * @example holiday
                 */
                tag?: components["parameters"]["Tag"];
                /** @description Without archived products, only archived ones, or all */
                archived?: components["parameters"]["Archived"];
                sort?: components["parameters"]["Sort-2"];
                /** @description Sort direction */
                direction?: components["parameters"]["Direction"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": components["schemas"]["Csv"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    listProductFilters: {
        parameters: {
            query?: {
                /** @description Without archived products, only archived ones, or all */
                archived?: components["parameters"]["Archived"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The values that a list of products can be filtered by. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductFiltersAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    importProducts: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["ProductImport"];
            };
        };
        responses: {
            /** @description The effect of each row. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductImportAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    listImports: {
        parameters: {
            query?: {
                /** @description Page number, from 0 */
                page?: components["parameters"]["Page"];
                /** @description Rows per page */
                size?: components["parameters"]["Size"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of imports. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportsAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    startImport: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["NewImport"];
            };
        };
        responses: {
            /** @description The preview. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    getImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 4b1e7c20-93d5-4a8f-b6e1-0c5d2f7a9e34 */
                id: components["parameters"]["ImportId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The import. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    listImportRows: {
        parameters: {
            query?: {
                /** @description Only rows of this kind */
                action?: components["schemas"]["ImportAction"];
                /** @description Page number, from 0 */
                page?: components["parameters"]["Page"];
                /** @description Rows per page */
                size?: components["parameters"]["Size"];
            };
            header?: never;
            path: {
                /** @example 4b1e7c20-93d5-4a8f-b6e1-0c5d2f7a9e34 */
                id: components["parameters"]["ImportId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of rows, in the order of the file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportRowsAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    runImport: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 4b1e7c20-93d5-4a8f-b6e1-0c5d2f7a9e34 */
                id: components["parameters"]["ImportId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ImportRun"];
            };
        };
        responses: {
            /** @description The import, which is running. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    undoImport: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 4b1e7c20-93d5-4a8f-b6e1-0c5d2f7a9e34 */
                id: components["parameters"]["ImportId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmptyBody"];
            };
        };
        responses: {
            /** @description The import, which is being undone. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    changeProducts: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProductsChange"];
            };
        };
        responses: {
            /** @description The products that were changed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductsChangeAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    getProductForStaff: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 9d2e7b14-6c8f-4e03-b5a1-3f7c9e0d2b68 */
                id: components["parameters"]["ProductId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The product, archived or not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffProductAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    archiveProduct: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 9d2e7b14-6c8f-4e03-b5a1-3f7c9e0d2b68 */
                id: components["parameters"]["ProductId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The archived product. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffProductAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    restoreProduct: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 9d2e7b14-6c8f-4e03-b5a1-3f7c9e0d2b68 */
                id: components["parameters"]["ProductId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmptyBody"];
            };
        };
        responses: {
            /** @description The restored product. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffProductAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    setSizeOf: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 9d2e7b14-6c8f-4e03-b5a1-3f7c9e0d2b68 */
                id: components["parameters"]["ProductId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SizeOf"];
            };
        };
        responses: {
            /** @description The product with its sizes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffProductAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    uploadPicture: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 9d2e7b14-6c8f-4e03-b5a1-3f7c9e0d2b68 */
                id: components["parameters"]["ProductId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["PictureForm"];
            };
        };
        responses: {
            /** @description The product, whose new picture is being processed. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffProductAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    removePicture: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 9d2e7b14-6c8f-4e03-b5a1-3f7c9e0d2b68 */
                id: components["parameters"]["ProductId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The product without that photo. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffProductAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    arrangePhotos: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 9d2e7b14-6c8f-4e03-b5a1-3f7c9e0d2b68 */
                id: components["parameters"]["ProductId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PhotoOrder"];
            };
        };
        responses: {
            /** @description The product with its photos in the new order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffProductAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    addPhoto: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 9d2e7b14-6c8f-4e03-b5a1-3f7c9e0d2b68 */
                id: components["parameters"]["ProductId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["PhotoForm"];
            };
        };
        responses: {
            /** @description The product, whose new photo is being processed. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffProductAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    removePhoto: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 9d2e7b14-6c8f-4e03-b5a1-3f7c9e0d2b68 */
                id: components["parameters"]["ProductId"];
                /** @example 5e1f0c7a9b3d2846 */
                photoId: components["schemas"]["PhotoId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The product without the photo. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffProductAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    listStockMovements: {
        parameters: {
            query?: {
                /** @description Page number, from 0 */
                page?: components["parameters"]["Page"];
                /** @description Rows per page */
                size?: components["parameters"]["Size"];
            };
            header?: never;
            path: {
                /** @example 9d2e7b14-6c8f-4e03-b5a1-3f7c9e0d2b68 */
                id: components["parameters"]["ProductId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of movements. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StockMovementsAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    adjustStock: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 9d2e7b14-6c8f-4e03-b5a1-3f7c9e0d2b68 */
                id: components["parameters"]["ProductId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StockAdjustment"];
            };
        };
        responses: {
            /** @description The current stock. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StockAdjustmentAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 6f1c2a34-8b1d-4c57-9e21-5a0b3c7d9e10 */
                userId: components["parameters"]["OwnUserId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user, with addresses. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    updateProfile: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 6f1c2a34-8b1d-4c57-9e21-5a0b3c7d9e10 */
                userId: components["parameters"]["OwnUserId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProfileUpdate"];
            };
        };
        responses: {
            /** @description The changed user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    setOwnPicture: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 6f1c2a34-8b1d-4c57-9e21-5a0b3c7d9e10 */
                userId: components["parameters"]["OwnUserId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["OwnPictureForm"];
            };
        };
        responses: {
            /** @description The user with the new avatar. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    removeOwnPicture: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 6f1c2a34-8b1d-4c57-9e21-5a0b3c7d9e10 */
                userId: components["parameters"]["OwnUserId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user without an avatar. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 6f1c2a34-8b1d-4c57-9e21-5a0b3c7d9e10 */
                userId: components["parameters"]["OwnUserId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordChange"];
            };
        };
        responses: {
            /** @description The password is changed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 6f1c2a34-8b1d-4c57-9e21-5a0b3c7d9e10 */
                userId: components["parameters"]["OwnUserId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The active sessions, last used first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionsAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    endOtherSessions: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 6f1c2a34-8b1d-4c57-9e21-5a0b3c7d9e10 */
                userId: components["parameters"]["OwnUserId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The remaining session. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionsAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 6f1c2a34-8b1d-4c57-9e21-5a0b3c7d9e10 */
                userId: components["parameters"]["OwnUserId"];
                /** @example 0b6f2f0c-3c1e-4f2b-9d55-1c7a8e4b6d21 */
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The active sessions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionsAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    addAddress: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 6f1c2a34-8b1d-4c57-9e21-5a0b3c7d9e10 */
                userId: components["parameters"]["OwnUserId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddressForm"];
            };
        };
        responses: {
            /** @description The user, with all addresses. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    updateAddress: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 6f1c2a34-8b1d-4c57-9e21-5a0b3c7d9e10 */
                userId: components["parameters"]["OwnUserId"];
                /** @example 52c8e6b0-7d1f-4a39-9b84-0e3f6a2d5c71 */
                addressId: components["parameters"]["AddressId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddressForm"];
            };
        };
        responses: {
            /** @description The user, with all addresses. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    removeAddress: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 6f1c2a34-8b1d-4c57-9e21-5a0b3c7d9e10 */
                userId: components["parameters"]["OwnUserId"];
                /** @example 52c8e6b0-7d1f-4a39-9b84-0e3f6a2d5c71 */
                addressId: components["parameters"]["AddressId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user, with the remaining addresses. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /** @description Page number, from 0 */
                page?: components["parameters"]["Page"];
                /** @description Rows per page */
                size?: components["parameters"]["Size"];
                /**
                 * @description Part of the name or of the email address
                 * @example Awa
                 */
                q?: components["parameters"]["UserSearch"];
                /** @description Only users with this role */
                role?: components["parameters"]["RoleFilter"];
                /** @description Only enabled users, or only disabled ones */
                isEnabled?: components["parameters"]["EnabledFilter"];
                /** @description Only customers with this tag of staff, in any case of its letters */
                tag?: components["parameters"]["TagFilter"];
                /** @description Sort column of the list */
                sort?: components["parameters"]["UserSort"];
                /** @description Sort direction */
                direction?: components["parameters"]["DirectionDown"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of users. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsersAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewUser"];
            };
        };
        responses: {
            /** @description The new user. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    inviteStaff: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewInvitation"];
            };
        };
        responses: {
            /** @description The invitation has been queued for mailing. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    exportUsers: {
        parameters: {
            query?: {
                /**
                 * @description Part of the name or of the email address
                 * @example Awa
                 */
                q?: components["parameters"]["UserSearch"];
                /** @description Only users with this role */
                role?: components["parameters"]["RoleFilter"];
                /** @description Only enabled users, or only disabled ones */
                isEnabled?: components["parameters"]["EnabledFilter"];
                /** @description Only customers with this tag of staff, in any case of its letters */
                tag?: components["parameters"]["TagFilter"];
                /** @description Sort column of the list */
                sort?: components["parameters"]["UserSort"];
                /** @description Sort direction */
                direction?: components["parameters"]["DirectionDown"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The CSV file as a download. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": components["schemas"]["Csv"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    listCustomerTags: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tags. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerTagsAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    getUserForStaff: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 6f1c2a34-8b1d-4c57-9e21-5a0b3c7d9e10 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user, with addresses. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    getCustomerSummary: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 6f1c2a34-8b1d-4c57-9e21-5a0b3c7d9e10 */
                id: components["parameters"]["CustomerId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The summary. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerSummaryAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    addCustomerNote: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 6f1c2a34-8b1d-4c57-9e21-5a0b3c7d9e10 */
                id: components["parameters"]["CustomerId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewCustomerNote"];
            };
        };
        responses: {
            /** @description The summary with all notes. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerSummaryAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    setCustomerTags: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 6f1c2a34-8b1d-4c57-9e21-5a0b3c7d9e10 */
                id: components["parameters"]["CustomerId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewCustomerTags"];
            };
        };
        responses: {
            /** @description The summary with the tags that the customer has now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerSummaryAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    endSessionsOfUser: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 6f1c2a34-8b1d-4c57-9e21-5a0b3c7d9e10 */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The number of ended sessions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndedSessionsAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    listPromotions: {
        parameters: {
            query?: {
                /** @description Page number, from 0 */
                page?: components["parameters"]["Page"];
                /** @description Rows per page */
                size?: components["parameters"]["Size"];
            };
            header?: never;
            path: {
                /** @example 6f1c2a34-8b1d-4c57-9e21-5a0b3c7d9e10 */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of accounts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PromotionsAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    getStaffMails: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 6f1c2a34-8b1d-4c57-9e21-5a0b3c7d9e10 */
                userId: components["parameters"]["OwnUserId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user's choice, or the default. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffMailsAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    setStaffMails: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 6f1c2a34-8b1d-4c57-9e21-5a0b3c7d9e10 */
                userId: components["parameters"]["OwnUserId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StaffMails"];
            };
        };
        responses: {
            /** @description The choice. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffMailsAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    updateUserRole: {
        parameters: {
            query: {
                /** @example ROLE_ADMIN */
                role: components["schemas"]["AssignableRole"];
            };
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 6f1c2a34-8b1d-4c57-9e21-5a0b3c7d9e10 */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The changed user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    updateUserEnabled: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 6f1c2a34-8b1d-4c57-9e21-5a0b3c7d9e10 */
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserEnabling"];
            };
        };
        responses: {
            /** @description The changed user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    placeOrder: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 6f1c2a34-8b1d-4c57-9e21-5a0b3c7d9e10 */
                userId: components["parameters"]["OwnUserId"];
                /** @example 0b7e5d92-4f6a-4a83-8c1e-2d9f6b3a7c45 */
                cartId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewOrder"];
            };
        };
        responses: {
            /** @description The URL of the payment page. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderPlacementAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    quoteOrder: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 6f1c2a34-8b1d-4c57-9e21-5a0b3c7d9e10 */
                userId: components["parameters"]["OwnUserId"];
                /** @example 0b7e5d92-4f6a-4a83-8c1e-2d9f6b3a7c45 */
                cartId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QuoteRequest"];
            };
        };
        responses: {
            /** @description The current quote. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QuoteAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    listCustomerOrders: {
        parameters: {
            query?: {
                /** @description Page number, from 0 */
                page?: components["parameters"]["Page"];
                /** @description Rows per page */
                size?: components["parameters"]["Size"];
            };
            header?: never;
            path: {
                /** @example 6f1c2a34-8b1d-4c57-9e21-5a0b3c7d9e10 */
                userId: components["parameters"]["OwnUserId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of orders. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrdersAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    checkPaymentStatus: {
        parameters: {
            query?: {
                /**
                 * @description As set by the provider in the return URL; without it the response says what is missing
                 * @example cs_test_a1b2c3
                 */
                session_id?: components["parameters"]["PaymentSessionId"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payment; null while the session is unknown or unpaid. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentStatusAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    capturePayment: {
        parameters: {
            query?: {
                /**
                 * @description As set by the provider in the return URL; without it the response says what is missing
                 * @example cs_test_a1b2c3
                 */
                session_id?: components["parameters"]["PaymentSessionId"];
                /** @description Must match the session */
                user_id?: string;
                /** @description Must match the session */
                cart_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payment. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    getOrder: {
        parameters: {
            query?: {
                /** @description Page number, from 0 */
                page?: components["parameters"]["Page"];
                /** @description Rows per page */
                size?: components["parameters"]["Size"];
            };
            header?: never;
            path: {
                /** @example a73d0f5c-9e24-4b18-8d6f-1c5b2e7a9043 */
                orderId: components["parameters"]["OrderId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    listOrders: {
        parameters: {
            query?: {
                /** @description Page number, from 0 */
                page?: components["parameters"]["Page"];
                /** @description Rows per page */
                size?: components["parameters"]["Size"];
                /**
                 * @description A part of the order number, with or without #, of the customer's name, company, email, or street, or of a product's name; a whole SKU; or at least 8 characters of a tracking number or a payment id
                 * @example Awa
                 */
                q?: components["parameters"]["OrderSearch"];
                /** @description Only orders in this state */
                status?: components["parameters"]["OrderStatusFilter"];
                /** @description The event that `from` and `to` apply to. created: placed; paid: paid; refunded: refunded; money: paid or refunded. */
                by?: components["parameters"]["OrderPeriod"];
                /** @description Only orders of this account */
                customer?: components["parameters"]["OrderCustomer"];
                /** @description Only orders with this discount code */
                discount?: components["parameters"]["OrderDiscount"];
                /**
                 * @description Only orders with this product. With `by` and a refund event: refunds that include it. `delivery`: orders that paid for delivery or got some of it refunded; `none`: orders with a refund of an amount instead of lines.
                 * @example delivery
                 */
                product?: components["parameters"]["OrderProduct"];
                /**
                 * @description The same for the category that a line had when it was sold
                 * @example delivery
                 */
                category?: components["parameters"]["OrderCategory"];
                /** @description Only orders to this state (two letters) */
                state?: components["parameters"]["OrderState"];
                /**
                 * @description Only orders with sales tax of this state; with `by` refunded, only those with some of that tax refunded
                 * @example GA
                 */
                taxState?: components["parameters"]["OrderTaxState"];
                /** @description Only paid orders with units left to ship */
                toShip?: components["parameters"]["OrderToShip"];
                /**
                 * @description Only these orders
                 * @example [
                 *       "9d2e7b14-6c8f-4e03-b5a1-3f7c9e0d2b68"
                 *     ]
                 */
                ids?: components["parameters"]["OrderIds"];
                /**
                 * @description First day included, in the shop's time zone
                 * @example 2026-03-01
                 */
                from?: components["parameters"]["FromDay"];
                /**
                 * @description Last day included, in the shop's time zone
                 * @example 2026-03-31
                 */
                to?: components["parameters"]["ToDay"];
                /** @description Sort column of the list */
                sort?: components["parameters"]["OrderSort"];
                /** @description Sort direction */
                direction?: components["parameters"]["DirectionDown"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of orders. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrdersAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    exportOrders: {
        parameters: {
            query?: {
                /**
                 * @description A part of the order number, with or without #, of the customer's name, company, email, or street, or of a product's name; a whole SKU; or at least 8 characters of a tracking number or a payment id
                 * @example Awa
                 */
                q?: components["parameters"]["OrderSearch"];
                /** @description Only orders in this state */
                status?: components["parameters"]["OrderStatusFilter"];
                /** @description The event that `from` and `to` apply to. created: placed; paid: paid; refunded: refunded; money: paid or refunded. */
                by?: components["parameters"]["OrderPeriod"];
                /** @description Only orders of this account */
                customer?: components["parameters"]["OrderCustomer"];
                /** @description Only orders with this discount code */
                discount?: components["parameters"]["OrderDiscount"];
                /**
                 * @description Only orders with this product. With `by` and a refund event: refunds that include it. `delivery`: orders that paid for delivery or got some of it refunded; `none`: orders with a refund of an amount instead of lines.
                 * @example delivery
                 */
                product?: components["parameters"]["OrderProduct"];
                /**
                 * @description The same for the category that a line had when it was sold
                 * @example delivery
                 */
                category?: components["parameters"]["OrderCategory"];
                /** @description Only orders to this state (two letters) */
                state?: components["parameters"]["OrderState"];
                /**
                 * @description Only orders with sales tax of this state; with `by` refunded, only those with some of that tax refunded
                 * @example GA
                 */
                taxState?: components["parameters"]["OrderTaxState"];
                /** @description Only paid orders with units left to ship */
                toShip?: components["parameters"]["OrderToShip"];
                /**
                 * @description Only these orders
                 * @example [
                 *       "9d2e7b14-6c8f-4e03-b5a1-3f7c9e0d2b68"
                 *     ]
                 */
                ids?: components["parameters"]["OrderIds"];
                /**
                 * @description First day included, in the shop's time zone
                 * @example 2026-03-01
                 */
                from?: components["parameters"]["FromDay"];
                /**
                 * @description Last day included, in the shop's time zone
                 * @example 2026-03-31
                 */
                to?: components["parameters"]["ToDay"];
                /** @description Sort column of the list */
                sort?: components["parameters"]["OrderSort"];
                /** @description Sort direction */
                direction?: components["parameters"]["DirectionDown"];
                /** @description A row per order if left out. With lines, a row per line: its share of the order's discount, delivery, tax and refunds, which add up to the order's */
                form?: components["parameters"]["OrderFileForm"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The CSV file as a download. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": components["schemas"]["Csv"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    getPickList: {
        parameters: {
            query: {
                /**
                 * @description The chosen orders; repeated ids count once
                 * @example [
                 *       "a73d0f5c-9e24-4b18-8d6f-1c5b2e7a9043"
                 *     ]
                 */
                ids: components["parameters"]["ChosenOrders"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pick list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PickListAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    getPackingSlips: {
        parameters: {
            query: {
                /**
                 * @description The chosen orders; repeated ids count once
                 * @example [
                 *       "a73d0f5c-9e24-4b18-8d6f-1c5b2e7a9043"
                 *     ]
                 */
                ids: components["parameters"]["ChosenOrders"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The orders. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PackingSlipsAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    exportLabels: {
        parameters: {
            query: {
                /**
                 * @description The chosen orders; repeated ids count once
                 * @example [
                 *       "a73d0f5c-9e24-4b18-8d6f-1c5b2e7a9043"
                 *     ]
                 */
                ids: components["parameters"]["ChosenOrders"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The CSV file as a download. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": components["schemas"]["Csv"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    getOrderForStaff: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example a73d0f5c-9e24-4b18-8d6f-1c5b2e7a9043 */
                orderId: components["parameters"]["OrderId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The order with fields for staff. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffOrderAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    setOrderTracking: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example a73d0f5c-9e24-4b18-8d6f-1c5b2e7a9043 */
                orderId: components["parameters"]["OrderId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrderTracking"];
            };
        };
        responses: {
            /** @description The updated order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffOrderAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    createParcel: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example a73d0f5c-9e24-4b18-8d6f-1c5b2e7a9043 */
                orderId: components["parameters"]["OrderId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewParcel"];
            };
        };
        responses: {
            /** @description The order with the new parcel. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffOrderAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    updateParcel: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example a73d0f5c-9e24-4b18-8d6f-1c5b2e7a9043 */
                orderId: components["parameters"]["OrderId"];
                /** @example 4d0a7e63-5b2c-4f19-8e7a-6c9d1b3f5a28 */
                parcelId: components["parameters"]["ParcelId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ParcelChange"];
            };
        };
        responses: {
            /** @description The order with the changed parcel. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffOrderAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    deleteParcel: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example a73d0f5c-9e24-4b18-8d6f-1c5b2e7a9043 */
                orderId: components["parameters"]["OrderId"];
                /** @example 4d0a7e63-5b2c-4f19-8e7a-6c9d1b3f5a28 */
                parcelId: components["parameters"]["ParcelId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The order without the parcel. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffOrderAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    addOrderNote: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example a73d0f5c-9e24-4b18-8d6f-1c5b2e7a9043 */
                orderId: components["parameters"]["OrderId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewOrderNote"];
            };
        };
        responses: {
            /** @description The order with all its notes. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffOrderAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    updateOrderStatus: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example a73d0f5c-9e24-4b18-8d6f-1c5b2e7a9043 */
                orderId: components["parameters"]["OrderId"];
                /** @example OUT_FOR_DELIVERY */
                status: components["schemas"]["OrderStatus"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The updated order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    refundOrder: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example a73d0f5c-9e24-4b18-8d6f-1c5b2e7a9043 */
                orderId: components["parameters"]["OrderId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewRefund"];
            };
        };
        responses: {
            /** @description The refund, and the updated order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    cancelOrder: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example a73d0f5c-9e24-4b18-8d6f-1c5b2e7a9043 */
                orderId: components["parameters"]["OrderId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrderCancellation"];
            };
        };
        responses: {
            /** @description The canceled order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    cancelOwnOrder: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example a73d0f5c-9e24-4b18-8d6f-1c5b2e7a9043 */
                orderId: components["parameters"]["OrderId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmptyBody"];
            };
        };
        responses: {
            /** @description The canceled order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    previewReorder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example a73d0f5c-9e24-4b18-8d6f-1c5b2e7a9043 */
                orderId: components["parameters"]["OrderId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The lines as currently available. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReorderAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    listMails: {
        parameters: {
            query?: {
                /** @description Page number, from 0 */
                page?: components["parameters"]["Page"];
                /** @description Rows per page */
                size?: components["parameters"]["Size"];
                /** @description Only mails in this state */
                state?: components["schemas"]["MailState"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of mails. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MailsAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    getMail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 4c8b1f6e-2a97-4d35-8e0c-7b6f3d9a1e52 */
                mailId: components["parameters"]["MailId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The mail. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MailContentAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    resendMail: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 4c8b1f6e-2a97-4d35-8e0c-7b6f3d9a1e52 */
                mailId: components["parameters"]["MailId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmptyBody"];
            };
        };
        responses: {
            /** @description The mail, queued again. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MailAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    listHolds: {
        parameters: {
            query?: {
                /** @description Page number, from 0 */
                page?: components["parameters"]["Page"];
                /** @description Rows per page */
                size?: components["parameters"]["Size"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of holds. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HoldsAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    endHold: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example a73d0f5c-9e24-4b18-8d6f-1c5b2e7a9043 */
                orderId: components["parameters"]["OrderId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmptyBody"];
            };
        };
        responses: {
            /** @description The resulting state of the order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndedHoldAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    listDeliveryMethods: {
        parameters: {
            query?: {
                /** @description Page number, from 0 */
                page?: components["parameters"]["Page"];
                /** @description Rows per page */
                size?: components["parameters"]["Size"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of methods. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryMethodsAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    createDeliveryMethod: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeliveryMethodForm"];
            };
        };
        responses: {
            /** @description The new method. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryMethodAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    updateDeliveryMethod: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 2b7e9c14-5d83-4f06-a1c9-8e3d6f0b7a52 */
                id: components["parameters"]["DeliveryMethodId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeliveryMethodForm"];
            };
        };
        responses: {
            /** @description The changed method. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryMethodAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    archiveDeliveryMethod: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 2b7e9c14-5d83-4f06-a1c9-8e3d6f0b7a52 */
                id: components["parameters"]["DeliveryMethodId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The method before archiving. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryMethodAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    listTaxRates: {
        parameters: {
            query?: {
                /** @description Page number, from 0 */
                page?: components["parameters"]["Page"];
                /** @description Rows per page */
                size?: components["parameters"]["Size"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of rates; a state without one collects nothing. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaxRatesAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    exportTaxRates: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": components["schemas"]["Csv"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    importTaxRates: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["TaxRateImport"];
            };
        };
        responses: {
            /** @description The number of changed states. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaxRateImportAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    getTaxCollected: {
        parameters: {
            query?: {
                /**
                 * @description First day included, in the shop's time zone
                 * @example 2026-03-01
                 */
                from?: components["parameters"]["FromDay"];
                /**
                 * @description Last day included, in the shop's time zone
                 * @example 2026-03-31
                 */
                to?: components["parameters"]["ToDay"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The states with sales or refunded tax in the period: those with a rate first, highest tax first, then by gross sales. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaxCollectedAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    exportTaxCollected: {
        parameters: {
            query?: {
                /**
                 * @description First day included, in the shop's time zone
                 * @example 2026-03-01
                 */
                from?: components["parameters"]["FromDay"];
                /**
                 * @description Last day included, in the shop's time zone
                 * @example 2026-03-31
                 */
                to?: components["parameters"]["ToDay"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": components["schemas"]["Csv"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    setTaxRate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Two letters of a state of the shop
                 * @example GA
                 */
                state: components["parameters"]["State"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TaxRateForm"];
            };
        };
        responses: {
            /** @description The changed rate. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaxRateAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    removeTaxRate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Two letters of a state of the shop
                 * @example GA
                 */
                state: components["parameters"]["State"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state collects no tax. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    listAlarms: {
        parameters: {
            query?: {
                /** @description Page number, from 0 */
                page?: components["parameters"]["Page"];
                /** @description Rows per page */
                size?: components["parameters"]["Size"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of alarms. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlarmsAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    settleAlarm: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 1d7e9a40-5b3c-4f82-9c6d-0e8f2b7a5d14 */
                alarmId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmptyBody"];
            };
        };
        responses: {
            /** @description The settled alarm. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlarmAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    getDashboard: {
        parameters: {
            query?: {
                /** @description Ends today, including it; year: since January 1 */
                period?: "today" | "7days" | "30days" | "90days" | "year" | "custom";
                /**
                 * @description First day included, in the shop's time zone
                 * @example 2026-03-01
                 */
                from?: components["parameters"]["FromDay"];
                /**
                 * @description Last day included, in the shop's time zone
                 * @example 2026-03-31
                 */
                to?: components["parameters"]["ToDay"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The figures. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DashboardAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    getGoLive: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All steps, in the order in which they are best done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GoLiveAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    getHealthReport: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The checks. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HealthAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    getSalesSummary: {
        parameters: {
            query?: {
                /** @description Ends today, including it, except lastMonth. month: since the first of the month; lastMonth: the whole month before; year: since January 1; 12months: this month and the previous eleven */
                period?: components["parameters"]["Period"];
                /**
                 * @description First day included, in the shop's time zone
                 * @example 2026-03-01
                 */
                from?: components["parameters"]["FromDay"];
                /**
                 * @description Last day included, in the shop's time zone
                 * @example 2026-03-31
                 */
                to?: components["parameters"]["ToDay"];
                /** @description Adds a page of rows. The figures of all rows add up to those of the summary */
                by?: components["parameters"]["SummaryBy"];
                /** @description Page number, from 0 */
                page?: components["parameters"]["Page"];
                /** @description Rows per page */
                size?: components["parameters"]["Size"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The summary. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SalesSummaryAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    exportSalesSummary: {
        parameters: {
            query?: {
                /** @description Ends today, including it, except lastMonth. month: since the first of the month; lastMonth: the whole month before; year: since January 1; 12months: this month and the previous eleven */
                period?: components["parameters"]["Period"];
                /**
                 * @description First day included, in the shop's time zone
                 * @example 2026-03-01
                 */
                from?: components["parameters"]["FromDay"];
                /**
                 * @description Last day included, in the shop's time zone
                 * @example 2026-03-31
                 */
                to?: components["parameters"]["ToDay"];
                /** @description Adds a page of rows. The figures of all rows add up to those of the summary */
                by?: components["parameters"]["SummaryBy"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": components["schemas"]["Csv"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    getReport: {
        parameters: {
            query?: {
                /** @description Ends today, including it, except lastMonth. month: since the first of the month; lastMonth: the whole month before; year: since January 1; 12months: this month and the previous eleven */
                period?: components["parameters"]["Period"];
                /**
                 * @description First day included, in the shop's time zone
                 * @example 2026-03-01
                 */
                from?: components["parameters"]["FromDay"];
                /**
                 * @description Last day included, in the shop's time zone
                 * @example 2026-03-31
                 */
                to?: components["parameters"]["ToDay"];
                /** @description Page number, from 0 */
                page?: components["parameters"]["Page"];
                /** @description Rows per page; without it, all rows are on one */
                size?: number;
            };
            header?: never;
            path: {
                /** @example product */
                by: components["parameters"]["By"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The report. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    exportReport: {
        parameters: {
            query?: {
                /** @description Ends today, including it, except lastMonth. month: since the first of the month; lastMonth: the whole month before; year: since January 1; 12months: this month and the previous eleven */
                period?: components["parameters"]["Period"];
                /**
                 * @description First day included, in the shop's time zone
                 * @example 2026-03-01
                 */
                from?: components["parameters"]["FromDay"];
                /**
                 * @description Last day included, in the shop's time zone
                 * @example 2026-03-31
                 */
                to?: components["parameters"]["ToDay"];
            };
            header?: never;
            path: {
                /** @example product */
                by: components["parameters"]["By"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": components["schemas"]["Csv"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    listDiscounts: {
        parameters: {
            query?: {
                /** @description Only rows that contain this text, ignoring case */
                q?: components["parameters"]["Search"];
                /** @description Only codes in this state */
                status?: components["parameters"]["DiscountStatusFilter"];
                /** @description Ends today, including it, except lastMonth. month: since the first of the month; lastMonth: the whole month before; year: since January 1; 12months: this month and the previous eleven */
                period?: components["parameters"]["Period"];
                /**
                 * @description First day included, in the shop's time zone
                 * @example 2026-03-01
                 */
                from?: components["parameters"]["FromDay"];
                /**
                 * @description Last day included, in the shop's time zone
                 * @example 2026-03-31
                 */
                to?: components["parameters"]["ToDay"];
                /** @description Sort column of the list */
                sort?: components["parameters"]["DiscountSort"];
                /** @description Sort direction */
                direction?: components["parameters"]["DirectionDown"];
                /** @description Page number, from 0 */
                page?: components["parameters"]["Page"];
                /** @description Rows per page */
                size?: components["parameters"]["Size"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of codes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DiscountsAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    createDiscount: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DiscountForm"];
            };
        };
        responses: {
            /** @description The new code. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DiscountAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    exportDiscounts: {
        parameters: {
            query?: {
                /** @description Only rows that contain this text, ignoring case */
                q?: components["parameters"]["Search"];
                /** @description Only codes in this state */
                status?: components["parameters"]["DiscountStatusFilter"];
                /** @description Ends today, including it, except lastMonth. month: since the first of the month; lastMonth: the whole month before; year: since January 1; 12months: this month and the previous eleven */
                period?: components["parameters"]["Period"];
                /**
                 * @description First day included, in the shop's time zone
                 * @example 2026-03-01
                 */
                from?: components["parameters"]["FromDay"];
                /**
                 * @description Last day included, in the shop's time zone
                 * @example 2026-03-31
                 */
                to?: components["parameters"]["ToDay"];
                /** @description Sort column of the list */
                sort?: components["parameters"]["DiscountSort"];
                /** @description Sort direction */
                direction?: components["parameters"]["DirectionDown"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": components["schemas"]["Csv"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    getDiscount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 3f6b1d2e-7a48-4c95-8e10-5d9c2b7f4a61 */
                discountId: components["parameters"]["DiscountId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The code. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DiscountAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    updateDiscount: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 3f6b1d2e-7a48-4c95-8e10-5d9c2b7f4a61 */
                discountId: components["parameters"]["DiscountId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DiscountForm"];
            };
        };
        responses: {
            /** @description The changed code. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DiscountAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    listAudit: {
        parameters: {
            query?: {
                /** @description Page number, from 0 */
                page?: components["parameters"]["Page"];
                /** @description Rows per page */
                size?: components["parameters"]["Size"];
                /** @description Only actions of this user */
                actor?: components["parameters"]["Actor"];
                /** @description Only this action, such as `user.role_changed` */
                action?: components["parameters"]["Action"];
                /**
                 * @description Only actions on this kind of entity
                 * @example order
                 */
                kind?: components["parameters"]["TargetKind"];
                /** @description Only actions on this entity; requires its kind */
                targetId?: components["parameters"]["TargetId"];
                /**
                 * @description First day included, in the shop's time zone
                 * @example 2026-03-01
                 */
                from?: components["parameters"]["FromDay"];
                /**
                 * @description Last day included, in the shop's time zone
                 * @example 2026-03-31
                 */
                to?: components["parameters"]["ToDay"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the log, and its filter options. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    exportAudit: {
        parameters: {
            query?: {
                /** @description Only actions of this user */
                actor?: components["parameters"]["Actor"];
                /** @description Only this action, such as `user.role_changed` */
                action?: components["parameters"]["Action"];
                /**
                 * @description Only actions on this kind of entity
                 * @example order
                 */
                kind?: components["parameters"]["TargetKind"];
                /** @description Only actions on this entity; requires its kind */
                targetId?: components["parameters"]["TargetId"];
                /**
                 * @description First day included, in the shop's time zone
                 * @example 2026-03-01
                 */
                from?: components["parameters"]["FromDay"];
                /**
                 * @description Last day included, in the shop's time zone
                 * @example 2026-03-31
                 */
                to?: components["parameters"]["ToDay"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The CSV file as a download. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": components["schemas"]["Csv"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    getPaymentStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state of the connection to the payment provider. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentStatusAnswer-2"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    checkPayments: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmptyBody"];
            };
        };
        responses: {
            /** @description The state after the check. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentStatusAnswer-2"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    listPages: {
        parameters: {
            query?: {
                /** @description Page number, from 0 */
                page?: components["parameters"]["Page"];
                /** @description Rows per page */
                size?: components["parameters"]["Size"];
            };
            header?: {
                /** @description The ETag of the client's copy */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PagesAnswer"];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Problem"];
        };
    };
    getPage: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the client's copy */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @example shipping-returns */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageAnswer"];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Problem"];
        };
    };
    listStaffPages: {
        parameters: {
            query?: {
                /** @description Page number, from 0 */
                page?: components["parameters"]["Page"];
                /** @description Rows per page */
                size?: components["parameters"]["Size"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list, without the texts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffPagesAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    createPage: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PageForm"];
            };
        };
        responses: {
            /** @description The new page. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffPageAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    previewPage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviewedText"];
            };
        };
        responses: {
            /** @description The text as HTML. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviewAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    getStaffPage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 6f1c0b52-7d3e-4a98-b0e4-5c2a9d8f1e63 */
                id: components["parameters"]["PageId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffPageAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    updatePage: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 6f1c0b52-7d3e-4a98-b0e4-5c2a9d8f1e63 */
                id: components["parameters"]["PageId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PageForm"];
            };
        };
        responses: {
            /** @description The changed page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffPageAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    deletePage: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 6f1c0b52-7d3e-4a98-b0e4-5c2a9d8f1e63 */
                id: components["parameters"]["PageId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page before it was deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffPageAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    getSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The settings. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettingsAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    updateSettings: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSettings"];
            };
        };
        responses: {
            /** @description The changed settings. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettingsAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    getEmailSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The settings. Never the password. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailSettingsAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    setEmailSettings: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewEmailSettings"];
            };
        };
        responses: {
            /** @description The saved settings, with the result of the check. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailSettingsAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    removeMailServer: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MailServerProof"];
            };
        };
        responses: {
            /** @description The settings without a mail server. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailSettingsAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    sendTestEmail: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TestEmail"];
            };
        };
        responses: {
            /** @description Whether the server accepted it, and its answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestEmailAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    setBackups: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BackupSchedule"];
            };
        };
        responses: {
            /** @description The schedule. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BackupScheduleAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    listBackups: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The backups that exist, and the attempts that failed in the past two weeks. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BackupsAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    startBackup: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmptyBody"];
            };
        };
        responses: {
            /** @description The waiting backup. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BackupAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    openBackupDownload: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 5b0e6f5c-0b1f-4c1e-9d53-8b7d7c9f2a10 */
                backupId: components["parameters"]["BackupId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BackupProof"];
            };
        };
        responses: {
            /** @description The link. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BackupLinkAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    downloadBackup: {
        parameters: {
            query: {
                /** @description Part of the link that openBackupDownload returns */
                token: string;
            };
            header?: never;
            path: {
                /** @example 5b0e6f5c-0b1f-4c1e-9d53-8b7d7c9f2a10 */
                backupId: components["parameters"]["BackupId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The backup's folder as a tar file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-tar": string;
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    setLogo: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["LogoForm"];
            };
        };
        responses: {
            /** @description The settings with the new logo. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettingsAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    removeLogo: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client, once per intended change. Repeating the same request with the same key returns the first successful response; a different request with the same key is rejected. Stored for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The settings without a logo. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettingsAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    getShop: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The shop. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShopAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    streamEvents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events, until either side closes the stream. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["LiveEvents"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    getPaymentSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The settings. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentSettingsAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    receivePaymentEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Time and HMAC of the body; if missing, the call is rejected with invalid_signature */
                "Stripe-Signature"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentEvent"];
            };
        };
        responses: {
            /** @description The event has been accepted, now or before. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageAnswer"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
}

/** Who may call each operation, and which transaction it runs in: one that the contract layer opens, its own, or none. */
export interface OperationRules {
    login: { roles: 'visitor' | 'customer' | 'admin' | 'owner'; transaction: 'none' };
    register: { roles: 'visitor' | 'customer' | 'admin' | 'owner'; transaction: 'none' };
    logout: { roles: 'visitor' | 'customer' | 'admin' | 'owner'; transaction: 'none' };
    refreshToken: { roles: 'visitor' | 'customer' | 'admin' | 'owner'; transaction: 'none' };
    getNonce: { roles: 'visitor' | 'customer' | 'admin' | 'owner'; transaction: 'none' };
    resetPassword: { roles: 'visitor' | 'customer' | 'admin' | 'owner'; transaction: 'none' };
    proveEmail: { roles: 'visitor' | 'customer' | 'admin' | 'owner'; transaction: 'none' };
    sendProofLink: { roles: 'customer' | 'admin' | 'owner'; transaction: 'none' };
    acceptInvitation: { roles: 'visitor' | 'customer' | 'admin' | 'owner'; transaction: 'none' };
    takeOverAccount: { roles: 'visitor' | 'customer' | 'admin' | 'owner'; transaction: 'none' };
    beginSecondFactor: { roles: 'customer' | 'admin' | 'owner'; transaction: 'none' };
    confirmSecondFactor: { roles: 'customer' | 'admin' | 'owner'; transaction: 'none' };
    newRecoveryCodes: { roles: 'customer' | 'admin' | 'owner'; transaction: 'none' };
    disableSecondFactor: { roles: 'customer' | 'admin' | 'owner'; transaction: 'none' };
    getCart: { roles: 'customer' | 'admin' | 'owner'; transaction: 'none' };
    addCartItem: { roles: 'customer' | 'admin' | 'owner'; transaction: 'opened' };
    updateCartItem: { roles: 'customer' | 'admin' | 'owner'; transaction: 'opened' };
    removeCartItem: { roles: 'customer' | 'admin' | 'owner'; transaction: 'opened' };
    clearCart: { roles: 'customer' | 'admin' | 'owner'; transaction: 'opened' };
    listLists: { roles: 'customer' | 'admin' | 'owner'; transaction: 'none' };
    createList: { roles: 'customer' | 'admin' | 'owner'; transaction: 'opened' };
    renameList: { roles: 'customer' | 'admin' | 'owner'; transaction: 'opened' };
    deleteList: { roles: 'customer' | 'admin' | 'owner'; transaction: 'opened' };
    orderList: { roles: 'customer' | 'admin' | 'owner'; transaction: 'opened' };
    setListItem: { roles: 'customer' | 'admin' | 'owner'; transaction: 'opened' };
    removeListItem: { roles: 'customer' | 'admin' | 'owner'; transaction: 'opened' };
    sendBatch: { roles: 'customer' | 'admin' | 'owner'; transaction: 'none' };
    createContactMessage: { roles: 'visitor' | 'customer' | 'admin' | 'owner'; transaction: 'opened' };
    listMessages: { roles: 'admin' | 'owner'; transaction: 'none' };
    getMessage: { roles: 'admin' | 'owner'; transaction: 'none' };
    setMessageState: { roles: 'admin' | 'owner'; transaction: 'opened' };
    replyToMessage: { roles: 'admin' | 'owner'; transaction: 'opened' };
    listCategories: { roles: 'visitor' | 'customer' | 'admin' | 'owner'; transaction: 'none' };
    listCategoriesForStaff: { roles: 'admin' | 'owner'; transaction: 'none' };
    exportCategories: { roles: 'admin' | 'owner'; transaction: 'none' };
    createCategory: { roles: 'admin' | 'owner'; transaction: 'opened' };
    getCategory: { roles: 'admin' | 'owner'; transaction: 'none' };
    updateCategory: { roles: 'admin' | 'owner'; transaction: 'opened' };
    deleteCategory: { roles: 'admin' | 'owner'; transaction: 'opened' };
    listProducts: { roles: 'visitor' | 'customer' | 'admin' | 'owner'; transaction: 'none' };
    searchProducts: { roles: 'visitor' | 'customer' | 'admin' | 'owner'; transaction: 'none' };
    getProduct: { roles: 'visitor' | 'customer' | 'admin' | 'owner'; transaction: 'none' };
    getProductBySlug: { roles: 'visitor' | 'customer' | 'admin' | 'owner'; transaction: 'none' };
    listProductsByCategory: { roles: 'visitor' | 'customer' | 'admin' | 'owner'; transaction: 'none' };
    getCatalogChanges: { roles: 'visitor' | 'customer' | 'admin' | 'owner'; transaction: 'none' };
    createProduct: { roles: 'admin' | 'owner'; transaction: 'opened' };
    updateProduct: { roles: 'admin' | 'owner'; transaction: 'opened' };
    listProductsForStaff: { roles: 'admin' | 'owner'; transaction: 'none' };
    exportProducts: { roles: 'admin' | 'owner'; transaction: 'none' };
    listProductFilters: { roles: 'admin' | 'owner'; transaction: 'none' };
    importProducts: { roles: 'admin' | 'owner'; transaction: 'opened' };
    listImports: { roles: 'admin' | 'owner'; transaction: 'none' };
    startImport: { roles: 'admin' | 'owner'; transaction: 'opened' };
    getImport: { roles: 'admin' | 'owner'; transaction: 'none' };
    listImportRows: { roles: 'admin' | 'owner'; transaction: 'none' };
    runImport: { roles: 'admin' | 'owner'; transaction: 'opened' };
    undoImport: { roles: 'admin' | 'owner'; transaction: 'opened' };
    changeProducts: { roles: 'admin' | 'owner'; transaction: 'opened' };
    getProductForStaff: { roles: 'admin' | 'owner'; transaction: 'none' };
    archiveProduct: { roles: 'admin' | 'owner'; transaction: 'opened' };
    restoreProduct: { roles: 'admin' | 'owner'; transaction: 'opened' };
    setSizeOf: { roles: 'admin' | 'owner'; transaction: 'opened' };
    uploadPicture: { roles: 'admin' | 'owner'; transaction: 'opened' };
    removePicture: { roles: 'admin' | 'owner'; transaction: 'opened' };
    addPhoto: { roles: 'admin' | 'owner'; transaction: 'opened' };
    arrangePhotos: { roles: 'admin' | 'owner'; transaction: 'opened' };
    removePhoto: { roles: 'admin' | 'owner'; transaction: 'opened' };
    listStockMovements: { roles: 'admin' | 'owner'; transaction: 'none' };
    adjustStock: { roles: 'admin' | 'owner'; transaction: 'opened' };
    getUser: { roles: 'customer' | 'admin' | 'owner'; transaction: 'none' };
    updateProfile: { roles: 'customer' | 'admin' | 'owner'; transaction: 'own' };
    setOwnPicture: { roles: 'customer' | 'admin' | 'owner'; transaction: 'opened' };
    removeOwnPicture: { roles: 'customer' | 'admin' | 'owner'; transaction: 'opened' };
    changePassword: { roles: 'customer' | 'admin' | 'owner'; transaction: 'opened' };
    listSessions: { roles: 'customer' | 'admin' | 'owner'; transaction: 'none' };
    endOtherSessions: { roles: 'customer' | 'admin' | 'owner'; transaction: 'opened' };
    endSession: { roles: 'customer' | 'admin' | 'owner'; transaction: 'opened' };
    addAddress: { roles: 'customer' | 'admin' | 'owner'; transaction: 'opened' };
    updateAddress: { roles: 'customer' | 'admin' | 'owner'; transaction: 'opened' };
    removeAddress: { roles: 'customer' | 'admin' | 'owner'; transaction: 'opened' };
    listUsers: { roles: 'admin' | 'owner'; transaction: 'none' };
    createUser: { roles: 'admin' | 'owner'; transaction: 'opened' };
    inviteStaff: { roles: 'admin' | 'owner'; transaction: 'opened' };
    exportUsers: { roles: 'admin' | 'owner'; transaction: 'none' };
    listCustomerTags: { roles: 'admin' | 'owner'; transaction: 'none' };
    getUserForStaff: { roles: 'admin' | 'owner'; transaction: 'none' };
    getCustomerSummary: { roles: 'admin' | 'owner'; transaction: 'none' };
    addCustomerNote: { roles: 'admin' | 'owner'; transaction: 'opened' };
    setCustomerTags: { roles: 'admin' | 'owner'; transaction: 'opened' };
    endSessionsOfUser: { roles: 'admin' | 'owner'; transaction: 'opened' };
    listPromotions: { roles: 'owner'; transaction: 'none' };
    getStaffMails: { roles: 'admin' | 'owner'; transaction: 'none' };
    setStaffMails: { roles: 'admin' | 'owner'; transaction: 'opened' };
    updateUserRole: { roles: 'admin' | 'owner'; transaction: 'opened' };
    updateUserEnabled: { roles: 'owner'; transaction: 'opened' };
    placeOrder: { roles: 'customer' | 'admin' | 'owner'; transaction: 'own' };
    quoteOrder: { roles: 'customer' | 'admin' | 'owner'; transaction: 'own' };
    listCustomerOrders: { roles: 'customer' | 'admin' | 'owner'; transaction: 'none' };
    checkPaymentStatus: { roles: 'customer' | 'admin' | 'owner'; transaction: 'none' };
    capturePayment: { roles: 'customer' | 'admin' | 'owner'; transaction: 'none' };
    getOrder: { roles: 'customer' | 'admin' | 'owner'; transaction: 'none' };
    listOrders: { roles: 'admin' | 'owner'; transaction: 'none' };
    exportOrders: { roles: 'admin' | 'owner'; transaction: 'none' };
    getPickList: { roles: 'admin' | 'owner'; transaction: 'none' };
    getPackingSlips: { roles: 'admin' | 'owner'; transaction: 'none' };
    exportLabels: { roles: 'admin' | 'owner'; transaction: 'none' };
    getOrderForStaff: { roles: 'admin' | 'owner'; transaction: 'none' };
    setOrderTracking: { roles: 'admin' | 'owner'; transaction: 'opened' };
    createParcel: { roles: 'admin' | 'owner'; transaction: 'opened' };
    updateParcel: { roles: 'admin' | 'owner'; transaction: 'opened' };
    deleteParcel: { roles: 'admin' | 'owner'; transaction: 'opened' };
    addOrderNote: { roles: 'admin' | 'owner'; transaction: 'opened' };
    updateOrderStatus: { roles: 'admin' | 'owner'; transaction: 'opened' };
    refundOrder: { roles: 'admin' | 'owner'; transaction: 'own' };
    cancelOrder: { roles: 'admin' | 'owner'; transaction: 'own' };
    cancelOwnOrder: { roles: 'customer' | 'admin' | 'owner'; transaction: 'own' };
    previewReorder: { roles: 'customer' | 'admin' | 'owner'; transaction: 'none' };
    listMails: { roles: 'owner'; transaction: 'none' };
    getMail: { roles: 'owner'; transaction: 'none' };
    resendMail: { roles: 'admin' | 'owner'; transaction: 'opened' };
    listHolds: { roles: 'admin' | 'owner'; transaction: 'none' };
    endHold: { roles: 'admin' | 'owner'; transaction: 'own' };
    listDeliveryMethods: { roles: 'admin' | 'owner'; transaction: 'none' };
    createDeliveryMethod: { roles: 'admin' | 'owner'; transaction: 'opened' };
    updateDeliveryMethod: { roles: 'admin' | 'owner'; transaction: 'opened' };
    archiveDeliveryMethod: { roles: 'admin' | 'owner'; transaction: 'opened' };
    listTaxRates: { roles: 'admin' | 'owner'; transaction: 'none' };
    exportTaxRates: { roles: 'admin' | 'owner'; transaction: 'none' };
    importTaxRates: { roles: 'admin' | 'owner'; transaction: 'opened' };
    getTaxCollected: { roles: 'admin' | 'owner'; transaction: 'none' };
    exportTaxCollected: { roles: 'admin' | 'owner'; transaction: 'none' };
    setTaxRate: { roles: 'admin' | 'owner'; transaction: 'opened' };
    removeTaxRate: { roles: 'admin' | 'owner'; transaction: 'opened' };
    listAlarms: { roles: 'admin' | 'owner'; transaction: 'none' };
    settleAlarm: { roles: 'admin' | 'owner'; transaction: 'opened' };
    getDashboard: { roles: 'admin' | 'owner'; transaction: 'none' };
    getGoLive: { roles: 'admin' | 'owner'; transaction: 'none' };
    getHealthReport: { roles: 'owner'; transaction: 'none' };
    getSalesSummary: { roles: 'admin' | 'owner'; transaction: 'none' };
    exportSalesSummary: { roles: 'admin' | 'owner'; transaction: 'none' };
    getReport: { roles: 'admin' | 'owner'; transaction: 'none' };
    exportReport: { roles: 'admin' | 'owner'; transaction: 'none' };
    listDiscounts: { roles: 'admin' | 'owner'; transaction: 'none' };
    createDiscount: { roles: 'admin' | 'owner'; transaction: 'opened' };
    exportDiscounts: { roles: 'admin' | 'owner'; transaction: 'none' };
    getDiscount: { roles: 'admin' | 'owner'; transaction: 'none' };
    updateDiscount: { roles: 'admin' | 'owner'; transaction: 'opened' };
    listAudit: { roles: 'admin' | 'owner'; transaction: 'none' };
    exportAudit: { roles: 'admin' | 'owner'; transaction: 'none' };
    getPaymentStatus: { roles: 'owner'; transaction: 'none' };
    checkPayments: { roles: 'owner'; transaction: 'own' };
    listPages: { roles: 'visitor' | 'customer' | 'admin' | 'owner'; transaction: 'none' };
    getPage: { roles: 'visitor' | 'customer' | 'admin' | 'owner'; transaction: 'none' };
    listStaffPages: { roles: 'admin' | 'owner'; transaction: 'none' };
    createPage: { roles: 'admin' | 'owner'; transaction: 'opened' };
    previewPage: { roles: 'admin' | 'owner'; transaction: 'none' };
    getStaffPage: { roles: 'admin' | 'owner'; transaction: 'none' };
    updatePage: { roles: 'admin' | 'owner'; transaction: 'opened' };
    deletePage: { roles: 'admin' | 'owner'; transaction: 'opened' };
    getSettings: { roles: 'admin' | 'owner'; transaction: 'none' };
    updateSettings: { roles: 'owner'; transaction: 'opened' };
    getEmailSettings: { roles: 'owner'; transaction: 'none' };
    setEmailSettings: { roles: 'owner'; transaction: 'own' };
    removeMailServer: { roles: 'owner'; transaction: 'own' };
    sendTestEmail: { roles: 'owner'; transaction: 'own' };
    setBackups: { roles: 'owner'; transaction: 'opened' };
    listBackups: { roles: 'owner'; transaction: 'none' };
    startBackup: { roles: 'owner'; transaction: 'opened' };
    openBackupDownload: { roles: 'owner'; transaction: 'opened' };
    downloadBackup: { roles: 'owner'; transaction: 'none' };
    setLogo: { roles: 'owner'; transaction: 'opened' };
    removeLogo: { roles: 'owner'; transaction: 'opened' };
    getShop: { roles: 'visitor' | 'customer' | 'admin' | 'owner'; transaction: 'none' };
    streamEvents: { roles: 'visitor' | 'customer' | 'admin' | 'owner'; transaction: 'none' };
    getPaymentSettings: { roles: 'customer' | 'admin' | 'owner'; transaction: 'none' };
    receivePaymentEvent: { roles: 'visitor' | 'customer' | 'admin' | 'owner'; transaction: 'own' };
}
