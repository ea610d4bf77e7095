/** The texts of every page, in one catalogue; those of parts that load later are next to it, and load with them. */

import { chat } from "./chat";
import { common } from "./common";
import { drawer } from "./drawer";
import { list } from "./list";
import { tour } from "./tour";

export const texts = { chat, common, drawer, list, tour };
