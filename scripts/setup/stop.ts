/** Why the set-up cannot go on, in sentences for the person at the terminal. */
export class SetupStop extends Error {}
