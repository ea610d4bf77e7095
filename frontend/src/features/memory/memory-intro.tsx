/** An introduction to memory and its categories, shown while nothing is selected. */

import { Link } from "react-router";
import { useTitle } from "@/components/hooks/use-title";
import { memory } from "@/texts/memory";
import { useCategories } from "./categories";
import classes from "./memory-page.module.css";
import { folderPath } from "./routes";

const words = memory.about;

export function MemoryIntro() {
  useTitle(memory.title);
  const categories = useCategories();
  return (
    <div className={classes.about}>
      <h2>{words.title}</h2>
      <p>{words.detail}</p>
      <dl>
        {categories.map(({ name, uri }) => (
          <div key={uri}>
            <dt>
              <Link to={folderPath(uri)}>{uri}</Link>
            </dt>
            <dd>{words.of[name]}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
