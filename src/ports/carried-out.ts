/** What became of an operation. */
export type CarriedOut =
  | { readonly done: true }
  | {
      readonly done: false;
      /** Why, in the words of whoever refused it: the program's, the kernel's or the database's. In one line. */
      readonly error: string;
      /** Whether it is certain that nothing was changed: whoever was asked has answered no. Otherwise it may have been done all the same. */
      readonly isRefused?: true;
    };
