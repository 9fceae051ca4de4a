/** What the services of this process have said on standard error, and no test has taken yet. */
export const logged: string[] = [];
