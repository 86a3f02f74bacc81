package im.zonda.console.guide;

import im.zonda.console.page.Desk;
import im.zonda.console.page.Places;
import im.zonda.operation.Value;
import java.util.Map;

/// The first steps with a new server, in the order in which each helps the next.
enum StartStep {
  /// A domain that is not only of this machine.
  DOMAIN,
  /// Addresses that other machines reach.
  NETWORK,
  /// Records by which others find the server.
  DNS,
  /// A certificate that others accept.
  CERTIFICATE,
  /// A look at the server as others see it.
  REACH,
  /// The first people, and an administrator among them.
  PEOPLE;

  /// The parameter of the address that names a step.
  static final String PARAMETER = "step";

  /// The word for texts and addresses.
  String word() {
    return Value.word(this);
  }

  /// Where it is shown.
  String url() {
    return Desk.url(Places.START, Map.of(PARAMETER, word()));
  }

  /// The step that an address names; the fallback if it names none.
  static StartStep of(String word, StartStep fallback) {
    for (StartStep each : values()) {
      if (each.word().equals(word)) {
        return each;
      }
    }
    return fallback;
  }
}
