/** The categories of the memory tree as the server serves them; every part of the memory page reads them here. */

import { createContext, useContext } from "react";
import type { Category } from "@/api/policy";
import { memory } from "@/texts/memory";
import { parentOf } from "./address";

/** Each served category has its texts: without them this does not compile. */
const NAMES: Record<Category["name"], string> = memory.categories;
const ABOUT: Record<Category["name"], string> = memory.about.of;

export const CategoriesContext = createContext<readonly Category[] | null>(null);

export function useCategories(): readonly Category[] {
  const categories = useContext(CategoriesContext);
  if (categories === null) throw new Error("outside of the memory page");
  return categories;
}

export function rootsOf(categories: readonly Category[]): string[] {
  return [...new Set(categories.flatMap(({ directories }) => directories.slice(0, 1)))];
}

/** The fixed directories right below an address, in their order. */
export function fixedBelow(categories: readonly Category[], uri: string): string[] {
  return categories.map((one) => one.uri).filter((one) => parentOf(one) === uri);
}

/** They exist always, and cannot be changed. */
export function isFixed(categories: readonly Category[], uri: string): boolean {
  return categories.some(({ directories }) => directories.includes(uri));
}

/** A category as one memory of it is called; empty above all categories. */
export function categoryName(name: string): string {
  return (NAMES as Record<string, string | undefined>)[name] ?? name;
}

/** What a category's root directory is for; empty for any other address. */
export function aboutOf(categories: readonly Category[], uri: string): string {
  const category = categories.find((one) => one.uri === uri);
  return category === undefined ? "" : ABOUT[category.name];
}
