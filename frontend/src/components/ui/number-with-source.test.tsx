import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { show } from "@/testing/render";
import { Num } from "./number-with-source";

test("a counted number is plain, and says where it comes from to those who hear it too", () => {
  show(<Num value={12_834} source="counted" />);
  expect(screen.getByTitle("Counted").textContent).toBe("12,834 counted");
});

test("an estimate carries ≈", () => {
  show(<Num value={940} source="estimated" />);
  expect(screen.getByTitle("Estimated").textContent).toBe("≈ 940 estimated");
});
