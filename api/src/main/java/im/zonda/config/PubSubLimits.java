package im.zonda.config;

import im.zonda.config.Setting.Form;

/// Limits of publish-subscribe (XEP-0060, XEP-0163) for each account.
public record PubSubLimits(
    @Setting(value = "maximum number of nodes of one account", min = 1, max = 100_000) int nodes,
    @Setting(
            value = "maximum number of items of one node, which it has with `max_items` of `max`",
            min = 1,
            max = 1_000_000)
        int items,
    @Setting(value = "maximum size of the payload of one item", form = Form.BYTES, min = 1_024)
        int itemBytes,
    @Setting(
            value = "maximum size of all items of one account",
            form = Form.BYTES,
            min = 4_096,
            max = 1L << 40)
        long bytes,
    @Setting(
            value = "maximum number of subscriptions and affiliations at all nodes of one account",
            min = 1,
            max = 1_000_000)
        int subscriptions) {
  /// The default limits.
  public static final PubSubLimits DEFAULTS =
      new PubSubLimits(256, 1_000, 196_608, 33_554_432, 1_000);
}
