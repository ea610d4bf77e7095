/** Every text of the page, in one catalogue; those of the settings and of the memory page stay apart, with their pages. */

import { auth } from "./auth";
import { chat } from "./chat";
import { common } from "./common";
import { drawer } from "./drawer";
import { list } from "./list";
import { palette } from "./palette";
import { help, tour } from "./tour";

export const texts = { auth, chat, common, drawer, help, list, palette, tour };
