import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'sqlite',
  schema: './src/db/{schema,disbursementTables}.ts',
  out: './migrations',
});
