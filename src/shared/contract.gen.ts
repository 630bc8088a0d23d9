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
         * @description Sets the two cookies too; session cookies when rememberMe is false.
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
         * Make a customer's account
         * @description Logs nobody in. The role is always ROLE_CUSTOMER; a body that asks for one is refused.
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
         * @description Ends the session of whichever token it is given, an expired one too; without any it does nothing.
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
         * @description The token comes in the body or, without one, in its cookie.
         */
        post: operations["refreshToken"];
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
         * Ask for a reset link, or set a new password with it
         * @description Asking for a link answers the same whether or not the address has an account.
         */
        post: operations["resetPassword"];
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
        /** Put a product in the cart, or more of one that is there */
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
         * Set a line's quantity, or change it by so many
         * @description Also confirms the product's present price. A change, unlike a set quantity, adds up with what other devices do: +1 and +1 make +2. A positive change brings back a line that is gone; one to 0 or less removes the line.
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
        /** Take a line out of the cart */
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
    "/admin/categories/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make a category */
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
        delete?: never;
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
        /** List products that are sold */
        get: operations["listProducts"];
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
         * @description One that is no longer sold is answered too, with archived true.
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
         * What changed in the catalog since a place in the feed
         * @description From 0 it is the whole catalog. Ask again with `next` while `more` is true, and from there later.
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
        /** Make a product */
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
         * @description With `quantityWas` the difference is booked, so that what was sold meanwhile stays sold; with `version` a product that somebody else changed meanwhile is refused. Without them the call sets what it is given.
         */
        put: operations["updateProduct"];
        post?: never;
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
        /** Read one's own account */
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
         * Change one's own profile
         * @description Another email address asks for the password.
         */
        put: operations["updateProfile"];
        post?: never;
        delete?: never;
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
        /** Save one more address */
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
        /** List users */
        get: operations["listUsers"];
        put?: never;
        /** Make an account for somebody */
        post: operations["createUser"];
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
        /** Read anybody's account */
        get: operations["getUserForStaff"];
        put?: never;
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
         * @description Nobody changes their own role, or an owner's.
         */
        put: operations["updateUserRole"];
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
         * Place an order and get the page where it is paid
         * @description Takes the stock and writes the order before the payment session is opened. The same lines, prices and address again give the same order and session; anything changed ends the older one first.
         */
        post: operations["placeOrder"];
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
        /** List one's own orders, newest first */
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
        /** Ask whether a payment session is paid */
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
        /** Ask the provider about a payment session, and finish what it paid */
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
         * @description One's own; staff read anybody's. page and size may be sent and change nothing.
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
        /** List everybody's orders, newest first */
        get: operations["listOrders"];
        put?: never;
        post?: never;
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
         * @description Forward steps only; the same person may take the last one back within 10 seconds.
         */
        put: operations["updateOrderStatus"];
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
         * Take an event of the payment provider
         * @description Proven by its signature over the bytes as they were sent, and done once: the event's id is stored together with its effect.
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
             * @description False makes the cookies end with the browser
             * @default true
             */
            rememberMe: boolean;
            /** @description One-time or recovery code, with the second factor on */
            otp?: string;
        };
        FieldError: {
            /** @description As in the request, parts joined by dots: deliveryAddress.city */
            field: string;
            message: string;
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
            /** @description What the status means */
            title: string;
            status: number;
            /** @description The same as `message`, under the name that RFC 9457 has for it */
            detail: string;
            /** @description The sentence to show */
            message: string;
            code: string;
            /** @description Which fields are wrong; empty when it is no matter of fields */
            errors: components["schemas"]["FieldError"][];
            /** @description What to quote to the owner; the log has it too */
            requestId: string;
        };
        /** @description A sentence that may be shown */
        Message: string;
        /** Format: uuid */
        Uuid: string;
        /** @enum {string} */
        Role: "ROLE_CUSTOMER" | "ROLE_ADMIN" | "ROLE_OWNER";
        /**
         * Format: date-time
         * @description ISO 8601 in UTC
         */
        Time: string;
        Address: {
            id: components["schemas"]["Uuid"];
            street: string;
            city: string;
            /** @description Two letters */
            state: string;
            postalCode: string;
            /** @description Always United States */
            country: string;
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
         *       "imageUrl": null,
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
            imageUrl: string | null;
            phoneNumber: string | null;
            /** @description Date of birth, 1990-12-31 */
            dob: string | null;
            description: string | null;
            addresses: components["schemas"]["Address"][];
        };
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
         *         "imageUrl": null,
         *         "phoneNumber": null,
         *         "dob": null,
         *         "description": null,
         *         "addresses": []
         *       },
         *       "jwt": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI2ZjFjIn0.c2lnbmF0dXJl",
         *       "refreshToken": "Zx3vQ0m1TqH8bK5nR2yW7cJ4sD9fL6gA"
         *     }
         */
        AuthResponse: {
            user: components["schemas"]["User"];
            /** @description Access token, for the Authorization header; lives 15 minutes */
            jwt: string;
            /** @description Opaque; each use gives a new one */
            refreshToken: string;
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
         * @description Nothing needs to be sent; an empty object may be
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
            /** @description From the link in the mail */
            token: string;
            password: string;
            confirmPassword: string;
        };
        PasswordReset: components["schemas"]["ResetLinkRequest"] | components["schemas"]["NewPassword"];
        /** @description US dollars */
        Money: number;
        /**
         * @description What must be settled before this line can be ordered
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
            /** @description The price last confirmed */
            price: components["schemas"]["Money"];
            quantity: number;
            /** @description price x quantity */
            totalPrice: components["schemas"]["Money"];
            imageUrl: string | null;
            /** @description The price of the product today */
            currentPrice: components["schemas"]["Money"];
            /** @description Sold, and in stock */
            available: boolean;
            /** @description How many this customer can have at most, its own open order included */
            stock: number;
            notice: components["schemas"]["CartNotice"];
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
            /** @description Taken from the product, whatever is sent */
            name?: string;
            /** @description Taken from the product, whatever is sent */
            price?: number;
            /** @description Taken from the product, whatever is sent */
            image?: string | null;
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
            /** @description Follows from the user and the product, whatever is sent */
            cartItemId?: components["schemas"]["Uuid"];
        };
        CartItemUpdate: components["schemas"]["SetCartItemQuantity"] | components["schemas"]["ChangeCartItemQuantity"];
        CartItemAnswer: {
            message: components["schemas"]["Message"];
            data: {
                cartItem: components["schemas"]["CartItem"] | null;
            };
        };
        /**
         * @example {
         *       "fullName": "Example Customer",
         *       "email": "customer@example.com",
         *       "phone": "404 555 0100",
         *       "reason": "Do you sell grains of selim by the kilo?"
         *     }
         */
        ContactMessage: {
            fullName?: string;
            email: string;
            phone?: string;
            /** @description What the message says */
            reason: string;
            /** @description Not shown to people; who fills it in is a robot */
            website?: string;
        };
        /** @description Also its place in the URL */
        CategoryName: string;
        /** @description Its files are `${base}-${width}.avif` and `.webp` */
        Picture: {
            base: string;
            /** @description In pixels, smallest first */
            widths: number[];
            /** @description A CSS color to show until the file is there */
            placeholder: string;
            alt: string;
        };
        /**
         * @example {
         *       "id": "1e5f8c27-3a9b-4d60-8f12-6b4c7d9e0a35",
         *       "name": "savory",
         *       "title": "Savory & Seasoning",
         *       "description": "Blends, rubs and pantry essentials."
         *     }
         */
        Category: {
            id: components["schemas"]["Uuid"];
            name: components["schemas"]["CategoryName"];
            title: string | null;
            description: string;
            /** @description Of its newest product that is sold; only in the list of categories */
            picture?: components["schemas"]["Picture"] | null;
        };
        Pageable: {
            /** @description From 0 */
            pageNumber: number;
            totalPages: number;
        };
        /**
         * @example {
         *       "content": [
         *         {
         *           "id": "1e5f8c27-3a9b-4d60-8f12-6b4c7d9e0a35",
         *           "name": "savory",
         *           "title": "Savory & Seasoning",
         *           "description": "Blends, rubs and pantry essentials."
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
         *       "name": "savory",
         *       "description": "Blends, rubs and pantry essentials.",
         *       "title": "Savory & Seasoning"
         *     }
         */
        CategoryForm: {
            name: components["schemas"]["CategoryName"];
            description: string;
            /** @description The banner; without one the name is shown */
            title?: string | null;
        };
        CategoryAnswer: {
            message: components["schemas"]["Message"];
            data: {
                category: components["schemas"]["Category"];
            };
        };
        ProductCategory: {
            id: components["schemas"]["Uuid"];
            name: components["schemas"]["CategoryName"];
            title: string | null;
        };
        /**
         * @example {
         *       "id": "9d2e7b14-6c8f-4e03-b5a1-3f7c9e0d2b68",
         *       "name": "Domoda Peanut Base",
         *       "description": "Roasted groundnuts, tomato and gentle chilli.",
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
            /** @description Moves with every fact but the quantity */
            version: number;
            picture: components["schemas"]["Picture"] | null;
            unitSize: string | null;
            origin: string | null;
            heatLevel: number | null;
            allergens: string[];
            otherNames: string[];
            /** @description No longer sold; kept for orders and old links */
            archived: boolean;
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
         * @description What the products of the whole category can be filtered by, whatever filter was sent
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
         *       ]
         *     }
         */
        Facets: {
            heatLevels: number[];
            origins: string[];
            allergens: string[];
        };
        CategoryProductsAnswer: {
            message: components["schemas"]["Message"];
            data: {
                products: components["schemas"]["ProductPage"];
                category?: components["schemas"]["ProductCategory"];
                facets?: components["schemas"]["Facets"];
            };
        };
        /**
         * @example {
         *       "next": 118,
         *       "more": false,
         *       "categories": [],
         *       "products": [],
         *       "removedCategoryIds": []
         *     }
         */
        CatalogChanges: {
            /** @description Where to go on from */
            next: number;
            /** @description There is more to fetch at once */
            more: boolean;
            categories: components["schemas"]["Category"][];
            /** @description Archived ones included */
            products: components["schemas"]["Product"][];
            removedCategoryIds: components["schemas"]["Uuid"][];
        };
        CatalogChangesAnswer: {
            message: components["schemas"]["Message"];
            data: {
                changes: components["schemas"]["CatalogChanges"];
            };
        };
        /**
         * @example {
         *       "name": "Domoda Peanut Base",
         *       "description": "Roasted groundnuts, tomato and gentle chilli.",
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
            /** @description US dollars as text, which loses no cent */
            price: string;
            /** @description Whether it is sold; it also needs to be in stock */
            availability: boolean;
            quantity: number;
            /** @description Id or name */
            category: string;
            /** @description A picture: at most 10 MB and 40 megapixels, no SVG */
            file?: unknown;
            unitSize?: string;
            origin?: string;
            heatLevel?: number;
            /** @description Repeated, or one list with commas */
            allergens?: string[];
            /** @description Repeated, or one list with commas */
            otherNames?: string[];
            /** @description What the form showed when it was opened */
            quantityWas?: number;
            /** @description The version that the form showed */
            version?: number;
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
            /** @description The present one; needed for another email address */
            password?: string;
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
         * @description ROLE_USER is another word for ROLE_CUSTOMER, as which it is stored
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
        };
        /**
         * @description Both are needed; what is missing is said by the checkout's own sentences.
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
             * @description The provider's page
             */
            paymentUrl: string;
            orderId: components["schemas"]["Uuid"];
            orderNumber: string;
        };
        OrderPlacementAnswer: {
            message: components["schemas"]["Message"];
            data: components["schemas"]["OrderPlacement"];
        };
        /** @enum {string} */
        OrderStatus: "PENDING_PAYMENT" | "PAID" | "OUT_FOR_DELIVERY" | "DELIVERED" | "CANCELLED" | "REFUNDED";
        OrderItem: {
            orderItemId: components["schemas"]["Uuid"];
            productId: components["schemas"]["Uuid"];
            /** @description As it was when it was ordered */
            productName: string;
            imageUrl: string | null;
            quantity: number;
            totalPrice: components["schemas"]["Money"];
        };
        OrderEvent: {
            status: components["schemas"]["OrderStatus"];
            at: components["schemas"]["Time"];
            /** @description Who did it; null when it happened by itself */
            by: string | null;
        };
        /**
         * @example {
         *       "id": "a73d0f5c-9e24-4b18-8d6f-1c5b2e7a9043",
         *       "orderId": "a73d0f5c-9e24-4b18-8d6f-1c5b2e7a9043",
         *       "orderNumber": "1042",
         *       "createdAt": "2026-03-02T10:00:00.000Z",
         *       "customer": "Example Customer",
         *       "totalAmount": 19,
         *       "orderStatus": "PAID",
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
         *           "totalPrice": 19
         *         }
         *       ],
         *       "shipmentTrackingUrl": null,
         *       "timeline": [
         *         {
         *           "status": "PENDING_PAYMENT",
         *           "at": "2026-03-02T10:00:00.000Z",
         *           "by": "Example Customer"
         *         },
         *         {
         *           "status": "PAID",
         *           "at": "2026-03-02T10:01:12.000Z",
         *           "by": null
         *         }
         *       ],
         *       "paymentUrl": null
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
            totalAmount: components["schemas"]["Money"];
            orderStatus: components["schemas"]["OrderStatus"];
            deliveryAddress: components["schemas"]["DeliveryAddress"];
            orderItems: components["schemas"]["OrderItem"][];
            shipmentTrackingUrl: string | null;
            /** @description Each change of status, oldest first */
            timeline: components["schemas"]["OrderEvent"][];
            /** @description Where to pay, for its own customer while it waits for the payment */
            paymentUrl: string | null;
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
         *       "orderStatus": "PAID"
         *     }
         */
        Payment: {
            orderId: components["schemas"]["Uuid"];
            orderNumber: string;
            totalAmount: components["schemas"]["Money"];
            orderStatus: components["schemas"]["OrderStatus"];
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
        /**
         * @description In the provider's own shape, which is not ours to close
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
        /** @description A refusal, with a sentence to show and a code to decide by. */
        Problem: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The client's copy is still right. */
        NotModified: {
            headers: {
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content?: never;
        };
    };
    parameters: {
        /** @example 6f1c2a34-8b1d-4c57-9e21-5a0b3c7d9e10 */
        OwnUserId: string;
        /**
         * @description Chosen by the client for one intention. The same key and request again give the first successful answer again; the same key with another request is refused. Kept for at least 30 days.
         * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
         */
        IdempotencyKey: string;
        /** @description Which page, from 0 */
        Page: number;
        /** @description How many on a page */
        Size: number;
        /** @description The ETag of the copy that the client has */
        IfNoneMatch: string;
        /** @example 1e5f8c27-3a9b-4d60-8f12-6b4c7d9e0a35 */
        CategoryId: string;
        /**
         * @description Only products of one of these heats
         * @example [
         *       2,
         *       3
         *     ]
         */
        Heat: number[];
        /**
         * @description Only products from one of these origins; a comma that belongs to a name is sent as %2C
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
        /** @example 9d2e7b14-6c8f-4e03-b5a1-3f7c9e0d2b68 */
        ProductId: string;
        /** @example 52c8e6b0-7d1f-4a39-9b84-0e3f6a2d5c71 */
        AddressId: string;
        /**
         * @description As the provider put it into the return URL; without it the call says what is missing
         * @example cs_test_a1b2c3
         */
        PaymentSessionId: string;
        /** @example a73d0f5c-9e24-4b18-8d6f-1c5b2e7a9043 */
        OrderId: string;
    };
    requestBodies: never;
    headers: {
        /** @description Changes with anything in the answer */
        ETag: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Credentials"];
            };
        };
        responses: {
            /** @description Who is logged in, and the tokens. */
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
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RefreshRequest"];
            };
        };
        responses: {
            /** @description The new tokens, and whose they are. */
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
            /** @description The link is on its way, or the password is changed. */
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
                 * @description Chosen by the client for one intention. The same key and request again give the first successful answer again; the same key with another request is refused. Kept for at least 30 days.
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
                 * @description Chosen by the client for one intention. The same key and request again give the first successful answer again; the same key with another request is refused. Kept for at least 30 days.
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
            /** @description The line as it is now, null when it is gone. */
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
                 * @description Chosen by the client for one intention. The same key and request again give the first successful answer again; the same key with another request is refused. Kept for at least 30 days.
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
                 * @description Chosen by the client for one intention. The same key and request again give the first successful answer again; the same key with another request is refused. Kept for at least 30 days.
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
    createContactMessage: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client for one intention. The same key and request again give the first successful answer again; the same key with another request is refused. Kept for at least 30 days.
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
            /** @description The message is kept, and a mail to its sender is on its way. */
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
    listCategories: {
        parameters: {
            query?: {
                /** @description Which page, from 0 */
                page?: components["parameters"]["Page"];
                /** @description How many on a page */
                size?: components["parameters"]["Size"];
            };
            header?: {
                /** @description The ETag of the copy that the client has */
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
    createCategory: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client for one intention. The same key and request again give the first successful answer again; the same key with another request is refused. Kept for at least 30 days.
                 * @example 7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CategoryForm"];
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
                 * @description Chosen by the client for one intention. The same key and request again give the first successful answer again; the same key with another request is refused. Kept for at least 30 days.
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
            /** @description The category as it is now. */
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
    listProducts: {
        parameters: {
            query?: {
                /** @description Which page, from 0 */
                page?: components["parameters"]["Page"];
                /** @description How many on a page */
                size?: components["parameters"]["Size"];
                /**
                 * @description Only products of one of these heats
                 * @example [
                 *       2,
                 *       3
                 *     ]
                 */
                heat?: components["parameters"]["Heat"];
                /**
                 * @description Only products from one of these origins; a comma that belongs to a name is sent as %2C
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
            };
            header?: {
                /** @description The ETag of the copy that the client has */
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
    getProduct: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the copy that the client has */
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
    listProductsByCategory: {
        parameters: {
            query?: {
                /** @description Which page, from 0 */
                page?: components["parameters"]["Page"];
                /** @description How many on a page */
                size?: components["parameters"]["Size"];
                /**
                 * @description Only products of one of these heats
                 * @example [
                 *       2,
                 *       3
                 *     ]
                 */
                heat?: components["parameters"]["Heat"];
                /**
                 * @description Only products from one of these origins; a comma that belongs to a name is sent as %2C
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
            };
            header?: {
                /** @description The ETag of the copy that the client has */
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
                /** @description `next` of the last answer */
                since?: number;
            };
            header?: {
                /** @description The ETag of the copy that the client has */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The categories and products that changed, as they are now. */
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
                 * @description Chosen by the client for one intention. The same key and request again give the first successful answer again; the same key with another request is refused. Kept for at least 30 days.
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
                 * @description Chosen by the client for one intention. The same key and request again give the first successful answer again; the same key with another request is refused. Kept for at least 30 days.
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
            /** @description The product as it is now. */
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
                 * @description Chosen by the client for one intention. The same key and request again give the first successful answer again; the same key with another request is refused. Kept for at least 30 days.
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
            /** @description The user as it is now. */
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
    addAddress: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client for one intention. The same key and request again give the first successful answer again; the same key with another request is refused. Kept for at least 30 days.
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
                 * @description Chosen by the client for one intention. The same key and request again give the first successful answer again; the same key with another request is refused. Kept for at least 30 days.
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
                 * @description Chosen by the client for one intention. The same key and request again give the first successful answer again; the same key with another request is refused. Kept for at least 30 days.
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
                /** @description Which page, from 0 */
                page?: components["parameters"]["Page"];
                /** @description How many on a page */
                size?: components["parameters"]["Size"];
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
                 * @description Chosen by the client for one intention. The same key and request again give the first successful answer again; the same key with another request is refused. Kept for at least 30 days.
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
    updateUserRole: {
        parameters: {
            query: {
                role: components["schemas"]["AssignableRole"];
            };
            header?: {
                /**
                 * @description Chosen by the client for one intention. The same key and request again give the first successful answer again; the same key with another request is refused. Kept for at least 30 days.
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
            /** @description The user as it is now. */
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
                 * @description Chosen by the client for one intention. The same key and request again give the first successful answer again; the same key with another request is refused. Kept for at least 30 days.
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
            /** @description Where to pay. */
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
    listCustomerOrders: {
        parameters: {
            query?: {
                /** @description Which page, from 0 */
                page?: components["parameters"]["Page"];
                /** @description How many on a page */
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
                 * @description As the provider put it into the return URL; without it the call says what is missing
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
                 * @description As the provider put it into the return URL; without it the call says what is missing
                 * @example cs_test_a1b2c3
                 */
                session_id?: components["parameters"]["PaymentSessionId"];
                /** @description Must be the session's */
                user_id?: string;
                /** @description Must be the session's */
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
                /** @description Which page, from 0 */
                page?: components["parameters"]["Page"];
                /** @description How many on a page */
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
                /** @description Which page, from 0 */
                page?: components["parameters"]["Page"];
                /** @description How many on a page */
                size?: components["parameters"]["Size"];
                /** @description Only orders in this state */
                status?: components["schemas"]["OrderStatus"];
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
    updateOrderStatus: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by the client for one intention. The same key and request again give the first successful answer again; the same key with another request is refused. Kept for at least 30 days.
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
            /** @description The order as it is now. */
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
    receivePaymentEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Time and HMAC of the body; without it the call is refused as invalid_signature */
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
            /** @description The event is known, now or already. */
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

/** Every code that a refusal may carry. */
export type ProblemCode =
    | 'address_not_found'
    | 'address_required'
    | 'cart_empty'
    | 'cart_item_not_found'
    | 'cart_not_found'
    | 'category_name_taken'
    | 'category_not_found'
    | 'cross_site_request'
    | 'customer_required'
    | 'email_taken'
    | 'forbidden'
    | 'idempotency_key_reused'
    | 'illegal_status_change'
    | 'internal'
    | 'invalid_credentials'
    | 'invalid_request'
    | 'invalid_signature'
    | 'line_unavailable'
    | 'missing_payment_information'
    | 'not_built'
    | 'not_enough_stock'
    | 'not_found'
    | 'order_not_found'
    | 'own_role'
    | 'owner_role'
    | 'payload_too_large'
    | 'payment_not_completed'
    | 'payment_not_found'
    | 'payment_unavailable'
    | 'price_changed'
    | 'product_changed'
    | 'product_not_found'
    | 'product_unavailable'
    | 'reset_link_invalid'
    | 'session_ended'
    | 'storage_full'
    | 'too_many_addresses'
    | 'too_many_attempts'
    | 'too_many_lines'
    | 'too_many_requests'
    | 'too_many_units'
    | 'total_too_large'
    | 'total_too_small'
    | 'unauthenticated'
    | 'unavailable'
    | 'unsupported_media_type'
    | 'user_not_found';
