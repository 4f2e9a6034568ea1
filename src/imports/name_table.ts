/** Names of people and entities by their ids, for sources that keep them apart from the records. */

/** Maximum size of a table, in characters. An id without a name is shown as it is. */
const MAX_CHARACTERS = 8 * 1024 * 1024;

/** What an entry takes in addition to its texts, in characters. */
const ENTRY_CHARACTERS = 50;

/** Names by id. Once the table is full, further names are left out. */
export class NameTable {
  readonly #names = new Map<string, string>();
  #characters = 0;

  /** Records a name, unless the table is full. */
  set(id: string, name: string): void {
    const characters = id.length + name.length + ENTRY_CHARACTERS;
    if (this.#characters + characters > MAX_CHARACTERS) return;
    this.#characters += characters;
    this.#names.set(id, name);
  }

  get(id: string): string | undefined {
    return this.#names.get(id);
  }
}
