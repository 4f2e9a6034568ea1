/** Hands the arguments to the command line. */
export {};
