/** A JSON schema, as far as an example needs it. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly example?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly minimum?: number;
}

/** Values of strings, by the end of the member's name. */
const TEXTS: readonly (readonly [RegExp, string])[] = [
  [/(?:[Tt]ime|[Tt]ime[Ss]tamp|DateTime|At|^at|^since)$/, '2027-02-10T09:00:00+08:00'],
  [/(?:arrival|checkIn|startDate)$/i, '2027-02-14'],
  [/(?:departure|checkOut|endDate|day|date)$/i, '2027-02-17'],
  [/currency$/i, 'AUD'],
  [/email$/i, 'guest@hotel.com'],
  [/lastName$/i, 'Nguyen'],
  [/url$/i, 'https://pay.hotel.com/guest/v1/payments'],
  [/bookingReference$/i, 'RES-1001'],
  [/(?:token|reference)$/i, '9f86d081884c7d659a2feaa0c55ad015'],
  [/type$/i, 'PaymentManual'],
  [/property$/i, 'example-hotel'],
  [/reason$/, 'fraudulent'],
];

type Components = Readonly<Record<string, JsonSchema>>;

/** An example of a schema's value. `name` is the member that holds it. */
export function exampleOf(schema: JsonSchema, components: Components, name = ''): unknown {
  const [given] = [schema.example, schema.const, schema.enum?.[0]].filter((it) => it !== undefined);
  if (given !== undefined) return given;
  const named = components[schema.$ref?.split('/').at(-1) ?? ''];
  const one = named ?? schema.anyOf?.[0] ?? schema.oneOf?.[0];
  if (one) return exampleOf(one, components, name);
  const parts = (schema.allOf ?? []).map((part) => exampleOf(part, components, name));
  return parts.length > 0
    ? (Object.assign({}, ...parts) as unknown)
    : plain(schema, components, name);
}

/** An example of a value of a type. */
function plain(schema: JsonSchema, components: Components, name: string): unknown {
  switch (typeof schema.type === 'string' ? schema.type : schema.type?.[0]) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([member, of]) => [
          member,
          exampleOf(of, components, member),
        ]),
      );
    case 'array':
      return schema.items ? [exampleOf(schema.items, components, name)] : [];
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 0, /(?:^id|Id)$/.test(name) ? 371_022_640_840_704 : 1);
    case 'string':
      return TEXTS.find(([pattern]) => pattern.test(name))?.[1] ?? 'text';
    default:
      return null;
  }
}
