package im.zonda.config;

/// Limits of stanzas to several addresses (XEP-0033).
public record AddressingLimits(
    @Setting(value = "maximum number of addresses of one stanza", min = 1, max = 1_000)
        int addresses,
    @Setting(
            "maximum number of copies that the stanzas of one account to several addresses make in"
                + " ten seconds, each as many as it has parts of 4 KiB; further stanzas are rejected; 0"
                + " is no limit")
        int copies) {
  /// The default limits.
  public static final AddressingLimits DEFAULTS = new AddressingLimits(50, 500);
}
