import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderInApp } from "@/testing/render";
import { NumberWithSource } from "./number-with-source";

test("a counted number is plain, and its source is available to screen readers", () => {
  renderInApp(<NumberWithSource value={12_834} source="counted" />);
  expect(screen.getByTitle("Counted").textContent).toBe("12,834 counted");
});

test("an estimate has a ≈ prefix", () => {
  renderInApp(<NumberWithSource value={940} source="estimated" />);
  expect(screen.getByTitle("Estimated").textContent).toBe("≈ 940 estimated");
});
