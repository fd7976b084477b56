import schema from '../../../../migrations/0000_schema.sql';

/** What `migrations` has, in its order. A test compares them. */
export const migrations: readonly { readonly name: string; readonly text: string }[] = [
  { name: '0000_schema.sql', text: schema },
];
