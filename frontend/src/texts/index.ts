/** Every text of the page, in one catalogue; those of the settings stay apart, since few open them. */

import { auth } from "./auth";
import { chat } from "./chat";
import { common } from "./common";
import { drawer } from "./drawer";
import { list } from "./list";
import { palette } from "./palette";
import { help, tour } from "./tour";

export const texts = { auth, chat, common, drawer, help, list, palette, tour };
