package im.zonda.bench.statistics;

/// The t-distribution.
final class StudentT {
  /// What a normal variable exceeds in either direction in one of 20 cases.
  static final double NORMAL = 1.959964;

  private StudentT() {}

  /// The value that a variable exceeds in either direction in one of 20 cases: exact for one and
  /// two degrees of freedom, otherwise by the expansion of Cornish and Fisher (off by less than 0.2
  /// %).
  ///
  /// @param degrees degrees of freedom, at least 1
  static double limit(int degrees) {
    if (degrees < 1) {
      throw new IllegalArgumentException(degrees + " degrees of freedom");
    } else if (degrees == 1) {
      return 12.7062;
    } else if (degrees == 2) {
      return 4.30265;
    }
    double n = degrees;
    double z = NORMAL;
    double z2 = z * z;
    return z
        + z * (z2 + 1) / (4 * n)
        + z * ((5 * z2 + 16) * z2 + 3) / (96 * n * n)
        + z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / (384 * n * n * n)
        + z * ((((79 * z2 + 776) * z2 + 1_482) * z2 - 1_920) * z2 - 945) / (92_160 * n * n * n * n);
  }
}
