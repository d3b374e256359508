/** Where the notes are. */
export const notesFile = (): string => process.env['NOTES_FILE'] ?? 'notes.txt';
