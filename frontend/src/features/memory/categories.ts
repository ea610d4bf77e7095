/** The memory categories served by the API, as a context for the memory page. */

import { createContext, useContext } from "react";
import type { Category } from "@/api/policy";
import { memory } from "@/texts/memory";
import { parentOf } from "./address";

/** Texts for every category; a category without texts is a type error. */
const NAMES: Record<Category["name"], string> = memory.categories;
const PURPOSES: Record<Category["name"], string> = memory.about.of;

export const CategoriesContext = createContext<readonly Category[] | null>(null);

export function useCategories(): readonly Category[] {
  const categories = useContext(CategoriesContext);
  if (categories === null) throw new Error("outside of the memory page");
  return categories;
}

export function rootsOf(categories: readonly Category[]): string[] {
  return [...new Set(categories.flatMap(({ directories }) => directories.slice(0, 1)))];
}

/** The fixed directories directly below an address, in order. */
export function fixedBelow(categories: readonly Category[], uri: string): string[] {
  return categories.map((one) => one.uri).filter((one) => parentOf(one) === uri);
}

/** Fixed directories always exist and cannot be changed. */
export function isFixed(categories: readonly Category[], uri: string): boolean {
  return categories.some(({ directories }) => directories.includes(uri));
}

/** The singular name of a category; empty above all categories. */
export function categoryName(name: string): string {
  return (NAMES as Record<string, string | undefined>)[name] ?? name;
}

/** The purpose of a category's root directory; empty for any other address. */
export function purposeOf(categories: readonly Category[], uri: string): string {
  const category = categories.find((one) => one.uri === uri);
  return category === undefined ? "" : PURPOSES[category.name];
}
