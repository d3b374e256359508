/** The form of nine fields that `startElicitation` has always asked with. */
export const startElicitationForm = {
    message: 'Please provide inputs for the following fields:',
    requestedSchema: {
        type: 'object',
        properties: {
            name: { title: 'Full Name', type: 'string', description: 'Your full, legal name' },
            check: { title: 'Agree to terms', type: 'boolean', description: 'A boolean check' },
            color: { title: 'Favorite Color', type: 'string', description: 'Favorite color (open text)', default: 'blue' },
            email: {
                title: 'Email Address',
                type: 'string',
                format: 'email',
                description: 'Your email address (will be verified, and never shared with anyone else)',
            },
            homepage: { type: 'string', format: 'uri', description: 'Homepage / personal site' },
            birthdate: {
                title: 'Birthdate',
                type: 'string',
                format: 'date',
                description: 'Your date of birth (will never be shared with anyone else)',
            },
            integer: {
                title: 'Favorite Integer',
                type: 'integer',
                description: 'Your favorite integer (do not give us your phone number, pin, or other sensitive info)',
                minimum: 1,
                maximum: 100,
                default: 42,
            },
            number: {
                title: 'Favorite Number',
                type: 'number',
                description: 'Favorite number (there are no wrong answers)',
                minimum: 0,
                maximum: 1000,
                default: 3.14,
            },
            petType: {
                title: 'Pet type',
                type: 'string',
                enum: ['cats', 'dogs', 'birds', 'fish', 'reptiles'],
                enumNames: ['Cats', 'Dogs', 'Birds', 'Fish', 'Reptiles'],
                default: 'dogs',
                description: 'Your favorite pet type',
            },
        },
        required: ['name'],
    },
};
//# sourceMappingURL=start-elicitation-form.js.map