package im.zonda.net.bosh;

import java.util.Locale;

/// Why a session ends (XEP-0124, section 17.2).
enum BoshCondition {
  BAD_REQUEST(400),
  HOST_GONE(200),
  HOST_UNKNOWN(200),
  IMPROPER_ADDRESSING(200),
  INTERNAL_SERVER_ERROR(200),
  ITEM_NOT_FOUND(404),
  OTHER_REQUEST(200),
  POLICY_VIOLATION(403),
  REMOTE_STREAM_ERROR(200),
  SYSTEM_SHUTDOWN(200);

  private final int legacyStatus;

  BoshCondition(int legacyStatus) {
    this.legacyStatus = legacyStatus;
  }

  /// The status of the response to a client that has sent no `ver` (section 17.1); 200 if it gets
  /// the condition too.
  int legacyStatus() {
    return legacyStatus;
  }

  /// The value of the attribute `condition`.
  String attribute() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
