import a11y from "eslint-plugin-jsx-a11y";
import { importX } from "eslint-plugin-import-x";
import hooks from "eslint-plugin-react-hooks";
import ts from "typescript-eslint";

/** The rooms of src, from the ground up: each may import only from those before it. */
const rooms = ["texts", "lib", "api", "events", "components", "features", "app"];

const upwards = rooms.slice(0, -1).map((room, place) => ({
  target: `./src/${room}`,
  from: rooms.slice(place + 1).map((above) => `./src/${above}`),
  message: `${room} imports only from: ${rooms.slice(0, place).join(", ") || "nothing"}.`,
}));

const features = [
  "auth",
  "chat",
  "conversation-list",
  "help",
  "memory",
  "palette",
  "sessions",
  "settings",
  "summary-drawer",
  "tour",
];
const across = features.map((feature) => ({
  target: `./src/features/${feature}`,
  from: "./src/features",
  except: [`./${feature}`],
  message: "Features do not know each other; app joins them.",
}));

export default ts.config(
  { ignores: ["dist", "node_modules", "src/api/schema.d.ts"] },
  ...ts.configs.strictTypeChecked,
  a11y.flatConfigs.strict,
  hooks.configs.flat["recommended-latest"],
  {
    plugins: { "import-x": importX },
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    settings: { "import-x/resolver": { typescript: true, node: true } },
    rules: {
      "import-x/no-restricted-paths": ["error", { zones: [...upwards, ...across] }],
      "import-x/no-cycle": "error",
      "max-lines": ["error", { max: 300, skipBlankLines: true, skipComments: true }],
      "max-lines-per-function": ["error", { max: 80, skipBlankLines: true, skipComments: true }],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/consistent-type-imports": "error",
    },
  },
  { files: ["**/*.test.ts", "**/*.test.tsx", "src/testing/**"], rules: { "max-lines-per-function": "off" } },
  { files: ["eslint.config.js", "scripts/*.js"], ...ts.configs.disableTypeChecked },
);
