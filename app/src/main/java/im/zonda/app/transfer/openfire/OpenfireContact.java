package im.zonda.app.transfer.openfire;

import im.zonda.app.transfer.AccountDraft;
import im.zonda.xml.Element;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The state of a contact in the numbers of Openfire.
///
/// @param subscription -1 for one that ends, then none, to, from and both
/// @param ask 0 if a request was sent and is pending
/// @param received 1 if a request was received and is pending
record OpenfireContact(String subscription, String ask, String received) {
  /// The state with those numbers; an empty text is none.
  static OpenfireContact of(
      @Nullable String subscription, @Nullable String ask, @Nullable String received) {
    return new OpenfireContact(text(subscription), text(ask), text(received));
  }

  private static String text(@Nullable String number) {
    return number == null ? "" : number.strip();
  }

  /// Adds the contact to an account.
  ///
  /// @param request the request that was received, or null
  void addTo(
      AccountDraft draft,
      String jid,
      @Nullable String name,
      List<String> groups,
      @Nullable Element request) {
    if (subscription.equals("-1")) {
      return;
    }
    String state =
        switch (subscription) {
          case "", "0" -> "none";
          case "1" -> "to";
          case "2" -> "from";
          case "3" -> "both";
          default -> subscription;
        };
    boolean asks = ask.equals("0");
    boolean asked = received.equals("1");
    boolean named = name != null && !name.isEmpty();
    if (!state.equals("none") || asks || !asked || named || !groups.isEmpty()) {
      draft.contact(jid, name, state, asks, false, groups);
    }
    if (asked) {
      draft.request(jid, request);
    }
  }
}
