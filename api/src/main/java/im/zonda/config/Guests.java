package im.zonda.config;

import im.zonda.config.annotation.Setting;
import im.zonda.config.annotation.Setting.Form;

/// People who enter a virtual host without an account (SASL ANONYMOUS, XEP-0175). A guest has one
/// session and nothing else; nothing is left of it when the session ends.
public record Guests(
    @Setting("whether people may enter without an account (SASL ANONYMOUS)") boolean enabled,
    @Setting("whether guests may enter the rooms of the host; they never create one") boolean rooms,
    @Setting(
            "whether guests and the accounts of the host may send each other messages, presence"
                + " and requests")
        boolean chat,
    @Setting(
            value =
                "maximum number of guests at a time, those that may resume their session included;"
                    + " in a cluster, of each node",
            min = 1,
            max = 1_000_000)
        int simultaneous,
    @Setting(
            value =
                "maximum number of guests at a time from one IP address, or the /64 of an IPv6"
                    + " address; in a cluster, of each node",
            min = 1,
            max = 1_000_000)
        int simultaneousPerAddress,
    @Setting(
            value =
                "maximum number of new guests from one IP address, or the /64 of an IPv6 address",
            key = "rate-limit",
            form = Form.PER_HOUR)
        int perAddressPerHour) {
  /// No guests.
  public static final Guests DEFAULTS = new Guests(false, true, true, 200, 10, 60);
}
