package im.zonda.config;

import im.zonda.config.annotation.Setting;

/// The record of what administrators have done.
public record Audit(
    @Setting("days that the record of what administrators have done is kept; 0 for ever")
        int keepDays) {
  /// A year.
  public static final Audit DEFAULTS = new Audit(365);
}
