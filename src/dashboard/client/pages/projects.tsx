/** Not built yet: Projects. */

import { Empty } from "../parts/empty.tsx";
import { PageHead } from "../parts/page_head.tsx";

export function Projects() {
  return (
    <>
      <PageHead title="Projects" />
      <Empty icon="overview" title="Not built yet">This page is still to come.</Empty>
    </>
  );
}
