package im.zonda.config.limits;

import im.zonda.config.annotation.Setting;
import im.zonda.config.annotation.Setting.Form;

/// Limits of publish-subscribe (XEP-0060, XEP-0163).
public record PubSubLimits(
    @Setting(
            value =
                "maximum number of nodes of one account, without those for attachments (XEP-0470), of"
                    + " which there are at most as many as items of one node",
            min = 1,
            max = 100_000)
        int nodes,
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
        int subscriptions,
    @Setting(
            value = "maximum number of nodes of the service that one user creates",
            min = 1,
            max = 1_000_000)
        int createdNodes,
    @Setting(
            value = "maximum size of all items of the service's nodes that one user has created",
            form = Form.BYTES,
            min = 4_096,
            max = 1L << 40)
        long createdBytes,
    @Setting(
            value =
                "maximum number of subscriptions and affiliations of one node of the service; all of"
                    + " them are in memory while the node is in use",
            min = 1,
            max = 1_000_000)
        int nodeSubscriptions,
    @Setting(
            value =
                "maximum number of subscriptions and affiliations of all nodes of the service that"
                    + " one user has created",
            min = 1,
            max = 10_000_000)
        int createdSubscriptions,
    @Setting(
            value = "maximum number of subscriptions of one user to nodes of the service",
            min = 1,
            max = 10_000)
        int userSubscriptions,
    @Setting(
            value =
                "notifications in ten seconds that the requests of one user cause on average, and"
                    + " five times as many at once; further requests are rejected for a while. Large"
                    + " ones count once for each 4 KiB; 0 is no limit",
            max = 100_000_000)
        int notifications) {
  /// The default limits.
  public static final PubSubLimits DEFAULTS =
      new PubSubLimits(
          256,
          1_000,
          196_608,
          33_554_432,
          1_000,
          1_000,
          268_435_456,
          20_000,
          100_000,
          1_000,
          20_000);
}
