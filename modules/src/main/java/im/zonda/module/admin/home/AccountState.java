package im.zonda.module.admin.home;

import im.zonda.account.DisabledAccounts;
import im.zonda.account.DisabledAccounts.Disabling;
import im.zonda.jid.Jid;
import im.zonda.store.KeyValueStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// State of an account's home for its administration. Confined to the home.
final class AccountState {
  /// When the last session was bound that is no longer bound, in milliseconds since 1970.
  static final String LOGIN = "login";

  /// The time of the message of the day that the account has got last.
  static final String MOTD = "motd";

  /// That the account has got the welcome message, or does not need it.
  static final String WELCOMED = "welcomed";

  private static final Duration STANZA_PERIOD = Duration.ofMinutes(1);
  private static final Duration LOGIN_PERIOD = Duration.ofHours(1);

  /// How often clients have sent something since the home was loaded. Requests to the account and
  /// to the server are not counted.
  final RecentRate stanzas;

  /// How often sessions were bound since the home was loaded.
  final RecentRate logins;

  /// Null if the account is not disabled.
  @Nullable Disabling disabling;

  boolean welcomed;
  private long login;
  private long motd;

  private AccountState(long now) {
    stanzas = new RecentRate(STANZA_PERIOD, now);
    logins = new RecentRate(LOGIN_PERIOD, now);
  }

  /// Reads what is stored. Blocks.
  ///
  /// @param now milliseconds since 1970
  static AccountState load(Jid account, KeyValueStore store, DisabledAccounts disabled, long now) {
    AccountState state = new AccountState(now);
    Map<String, byte[]> stored = store.all(account);
    state.disabling = disabled.find(account);
    state.welcomed = stored.containsKey(WELCOMED);
    state.login = number(stored.get(LOGIN));
    state.motd = number(stored.get(MOTD));
    return state;
  }

  private static long number(byte @Nullable [] text) {
    try {
      return text == null ? 0 : Long.parseLong(new String(text, StandardCharsets.US_ASCII));
    } catch (NumberFormatException e) {
      return 0; // worth no more than a message that is sent again
    }
  }

  /// The form of a time in the store.
  static byte[] stored(Instant time) {
    return Long.toString(time.toEpochMilli()).getBytes(StandardCharsets.US_ASCII);
  }

  /// When the last session was bound that is no longer bound; null if that is unknown.
  @Nullable Instant login() {
    return login == 0 ? null : Instant.ofEpochMilli(login);
  }

  void login(Instant time) {
    login = time.toEpochMilli();
  }

  /// Whether the account has got that message of the day.
  boolean hasSeen(Notice notice) {
    return motd >= notice.since().toEpochMilli();
  }

  void seen(Notice notice) {
    motd = notice.since().toEpochMilli();
  }
}
