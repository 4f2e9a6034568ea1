/**
 * Countries and large cities: a closed class that separates places from companies in "I left X".
 */

const PLACES =
  "afghanistan albania algeria andorra angola argentina armenia australia austria azerbaijan bahrain bangladesh barbados belarus belgium belize " +
  "benin bhutan bolivia bosnia botswana brazil brunei bulgaria burundi cambodia cameroon canada chad chile china colombia congo croatia cuba cyprus " +
  "czechia denmark ecuador egypt england eritrea estonia ethiopia fiji finland france gabon gambia georgia germany ghana greece guatemala guinea " +
  "guyana haiti honduras hungary iceland india indonesia iran iraq ireland israel italy jamaica japan jordan kazakhstan kenya kosovo kuwait laos latvia " +
  "lebanon liberia libya liechtenstein lithuania luxembourg madagascar malawi malaysia mali malta mauritius mexico moldova monaco mongolia montenegro " +
  "morocco mozambique myanmar namibia nepal netherlands nicaragua niger nigeria norway oman pakistan palestine panama paraguay peru philippines poland " +
  "portugal qatar romania russia rwanda scotland senegal serbia singapore slovakia slovenia somalia spain sudan sweden switzerland syria taiwan tanzania " +
  "thailand togo tunisia turkey uganda ukraine uruguay uzbekistan venezuela vietnam wales yemen zambia zimbabwe " +
  "amsterdam ankara antwerp athens auckland austin baghdad baku baltimore bangalore bangkok barcelona basel beijing beirut belfast belgrade bergen berlin " +
  "bern birmingham bogotá bogota bologna bonn bordeaux boston bratislava brighton brisbane bristol brno brussels bucharest budapest cairo calgary " +
  "cambridge canberra caracas cardiff casablanca chennai chicago cologne copenhagen cork cracow dakar dallas damascus delhi denver detroit dhaka doha dortmund " +
  "dresden dubai dublin durban düsseldorf edinburgh essen florence frankfurt galway gdańsk geneva genoa ghent glasgow gothenburg graz hamburg hanoi " +
  "hanover havana helsinki houston istanbul jakarta jerusalem johannesburg kabul karachi kathmandu kharkiv kigali kinshasa kolkata kraków krakow kyiv kyoto lagos " +
  "lahore leeds leipzig lille lima linz lisbon liverpool ljubljana london lviv lyon madrid malaga malmö manchester manila marrakesh marseille " +
  "melbourne miami milan minneapolis minsk montevideo montreal moscow mumbai munich nagoya nairobi nantes naples nashville nice nottingham " +
  "oslo osaka ottawa palermo paris perth philadelphia phoenix pittsburgh porto portland prague pune quito reykjavik riga rome rotterdam salzburg seattle " +
  "seoul seville shanghai sheffield shenzhen sofia stockholm strasbourg stuttgart sydney taipei tallinn tashkent tbilisi tehran thessaloniki tirana tokyo toronto " +
  "toulouse tunis turin utrecht valencia vancouver venice verona vienna vilnius warsaw wellington wrocław yerevan york zagreb zaragoza zurich zürich";
const NAMES: ReadonlySet<string> = new Set([
  ...PLACES.split(" "),
  "new york",
  "los angeles",
  "san francisco",
  "san diego",
  "cape town",
  "hong kong",
  "buenos aires",
  "rio de janeiro",
  "são paulo",
  "sao paulo",
  "mexico city",
  "new zealand",
  "south africa",
  "south korea",
  "saudi arabia",
  "costa rica",
  "el salvador",
  "sri lanka",
  "new orleans",
  "salt lake city",
  "kuala lumpur",
  "ho chi minh city",
  "tel aviv",
  "abu dhabi",
  "st. petersburg",
  "the hague",
]);

/** Checks whether a name is that of a country or a large city. */
export const isKnownPlace = (name: string): boolean =>
  NAMES.has(name.toLowerCase().replace(/^the (?!hague)/, "").replace(/,.*$/, "").trim());
