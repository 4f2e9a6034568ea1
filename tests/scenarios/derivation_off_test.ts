/** Tests derived views in a project with derivation turned off. */

import { endpointTable } from "./table.ts";
import { addTwoHomes, get, type HomeMemories, HOMES, SLOT } from "./two_homes.ts";

for (
  const [path, parameters] of [
    ["state", SLOT],
    ["state/history", SLOT],
    ["beliefs", SLOT],
    ["profile", "user_id=ana"],
  ] as const
) {
  endpointTable<HomeMemories>(`GET /v1/${path} with derivation off`, {
    permission: "memory:read",
    prepare: async (server) => {
      const homes = await addTwoHomes(server);
      await server.manage("projects", "derivation", "default", "off");
      return homes;
    },
    content: HOMES,
    request: get(`${path}?${parameters}`),
    owner: path === "beliefs"
      ? { status: 200, shows: ['"projection_status":"disabled"'], hides: HOMES }
      : { status: 409, code: "DERIVATION_DISABLED", hides: HOMES },
    stranger: { status: 200 },
  });
}
