import { z } from 'zod';

const code = z.string().min(1);

/** The rooms and rates in the PMS's replies (pms: GetPropertyInfo). */
export const catalogueShape = z.object({
  RoomTypes: z.array(
    z.object({
      RoomTypeCode: code,
      RoomTypeName: z.string(),
      RateTypes: z.array(z.object({ RateTypeCode: code, RateTypeName: z.string() })),
    }),
  ),
});

/** The rooms and rates in the PMS's replies. */
export type Catalogue = z.infer<typeof catalogueShape>;

const bestAvailable = { RateTypeCode: 'BAR', RateTypeName: 'Best available' };
const longStay = { RateTypeCode: 'LONG', RateTypeName: 'Long stay' };
const nonRefundable = { RateTypeCode: 'NRF', RateTypeName: 'Non-refundable' };

/** The hotel's default rooms and rates. */
export const firstCatalogue: Catalogue = {
  RoomTypes: [
    {
      RoomTypeCode: 'STD',
      RoomTypeName: 'Standard Studio',
      RateTypes: [bestAvailable, longStay],
    },
    {
      RoomTypeCode: 'DLX',
      RoomTypeName: 'Deluxe Studio',
      RateTypes: [bestAvailable, nonRefundable, longStay],
    },
    { RoomTypeCode: 'TWIN', RoomTypeName: 'Twin Room', RateTypes: [bestAvailable, nonRefundable] },
  ],
};
