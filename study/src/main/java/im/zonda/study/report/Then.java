package im.zonda.study.report;

import java.util.List;

/// The figures of the study of 2003: JBoss 3.2.0 with two virtual machines and two kinds of
/// bytecode, on Linux with the network between, or on one machine with Windows 2000. Times of pages
/// in milliseconds, sizes in kB, times of starts and stops in seconds; NaN where there is none.
///
/// @param id the row in the list of what is reproduced
/// @param cell the virtual machine and the bytecode
/// @param medium of 4,800 samples
/// @param large of 9,600 samples
/// @param virtualSize the address space
/// @param resident the resident memory
record Then(
    String id,
    String cell,
    Run medium,
    Run large,
    double virtualSize,
    double resident,
    double start,
    double stop) {
  /// One run.
  record Run(
      double average, double least, double most, double rate, int poolAverage, int poolMost) {}

  static final Then SUN =
      new Then(
          "E1",
          "Sun 1.4.1_01, default",
          new Run(175, 80, 7_240, 2.8, 7, 8),
          new Run(197, 70, 64_973, 2.7, 7, 13),
          292_400,
          155_944,
          294.793,
          7.561);

  static final Then IBM =
      new Then(
          "E2",
          "IBM 1.4.0, default",
          new Run(179, 60, 16_694, 2.8, 9, 19),
          new Run(155, 60, 16_694, 2.7, 9, 10),
          202_476,
          133_120,
          254.383,
          154.627);

  static final Then SUN_OPTIMISED =
      new Then(
          "E3",
          "Sun, optimised",
          new Run(196, 80, 14_611, 2.9, 13, 13),
          new Run(195, 80, 65_064, 2.7, 12, 13),
          312_252,
          123_500,
          341.059,
          7.100);

  static final Then IBM_OPTIMISED =
      new Then(
          "E4",
          "IBM, optimised",
          new Run(123, 50, 2_554, 2.8, 7, 7),
          new Run(125, 50, 2_734, 2.8, 7, 8),
          189_824,
          131_624,
          323.086,
          223.499);

  private static final Then WINDOWS =
      new Then(
          "E5",
          "Windows 2000, Sun, default",
          new Run(40, 10, 841, 2.9, 7, 7),
          new Run(42, 10, 851, 2.8, 7, 7),
          Double.NaN,
          Double.NaN,
          Double.NaN,
          Double.NaN);

  private static final Then WINDOWS_OPTIMISED =
      new Then(
          "E6",
          "Windows 2000, Sun, optimised",
          new Run(44, 10, 2_013, 2.8, 7, 9),
          new Run(42, 10, 2_013, 2.8, 7, 9),
          Double.NaN,
          Double.NaN,
          Double.NaN,
          Double.NaN);

  static final List<Then> ALL =
      List.of(SUN, IBM, SUN_OPTIMISED, IBM_OPTIMISED, WINDOWS, WINDOWS_OPTIMISED);

  /// By how many percent a figure is less than another.
  static double less(double figure, double than) {
    return 100 * (1 - figure / than);
  }
}
