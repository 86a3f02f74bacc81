package im.zonda.console.factor;

import im.zonda.hash.HashFunction;
import im.zonda.http.Signer;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.store.KeyValueStore;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The second factors of accounts. Secrets of one-time codes are encrypted; of recovery codes and
/// passkeys nothing is kept by which someone could sign in. Calls block; any thread that may block
/// may call.
public final class Factors {
  /// The name of the key-value store of the accounts.
  public static final String STORE = "factors";

  /// The name of the store that says whose a passkey is.
  public static final String PASSKEYS = "factor-passkeys";

  /// The most passkeys of an account.
  public static final int MOST_PASSKEYS = 10;

  /// How many recovery codes there are.
  static final int RECOVERY_CODES = 10;

  private static final Logger LOG = LoggerFactory.getLogger(Factors.class);
  private static final Jid OWNER = Jid.stored("zonda.invalid");
  private static final int RECOVERY_BYTES = 10;
  private static final String SECRET = "codes";
  private static final String STEP = "step-";
  private static final String RECOVERY = "recovery-";
  private static final String PASSKEY = "passkey-";
  private static final String USE = "use-";
  private static final byte[] PRESENT = {1};

  /// What an account has.
  ///
  /// @param codes since when it has one-time codes; null if it has none
  /// @param passkeys in the order in which they were registered
  /// @param recoveryCodes the number of recovery codes that were not used
  public record State(@Nullable Instant codes, List<Passkey> passkeys, int recoveryCodes) {
    /// Whether a password alone is not enough.
    public boolean any() {
      return codes != null || !passkeys.isEmpty();
    }
  }

  /// What became of a code.
  public enum Proof {
    RIGHT,
    WRONG,
    TOO_MANY
  }

  /// A passkey and whose it is.
  public record Owned(Jid account, Passkey passkey) {}

  private final KeyValueStore values;
  private final KeyValueStore owners;
  private final Signer signer;
  private final InstantSource clock;
  private final RandomGenerator random;
  private final Seal seal;
  private final FailedCodes failed;

  /// @param stores the key-value stores by their names
  /// @param random cryptographically strong
  public Factors(
      Function<String, KeyValueStore> stores,
      Signer signer,
      InstantSource clock,
      RandomGenerator random) {
    this.values = stores.apply(STORE);
    this.owners = stores.apply(PASSKEYS);
    this.signer = signer;
    this.clock = clock;
    this.random = random;
    this.seal = new Seal(signer, random);
    this.failed = new FailedCodes(values, clock, random);
  }

  /// What an account has.
  public State of(Jid account) {
    Map<String, byte[]> all = values.all(account);
    List<Passkey> passkeys = new ArrayList<>();
    int recovery = 0;
    for (Map.Entry<String, byte[]> each : all.entrySet()) {
      recovery += each.getKey().startsWith(RECOVERY) ? 1 : 0;
      if (each.getKey().startsWith(PASSKEY)) {
        byte[] use = all.get(USE + each.getKey().substring(PASSKEY.length()));
        Passkey passkey = read(account, each.getValue(), use);
        if (passkey != null) {
          passkeys.add(passkey);
        }
      }
    }
    passkeys.sort(Comparator.comparing(Passkey::created).thenComparing(Passkey::id));
    byte[] stored = all.get(SECRET);
    return new State(
        stored == null ? null : Instant.ofEpochMilli(Long.parseLong(line(stored, 0))),
        List.copyOf(passkeys),
        recovery);
  }

  private static @Nullable Passkey read(Jid account, byte[] bytes, byte @Nullable [] use) {
    try {
      Passkey passkey = Passkey.of(bytes);
      return use == null
          ? passkey
          : passkey.used(
              Long.parseLong(line(use, 0)), Instant.ofEpochMilli(Long.parseLong(line(use, 1))));
    } catch (IllegalArgumentException e) {
      LOG.atError().addKeyValue("account", account).setCause(e).log("passkey_damaged");
      return null;
    }
  }

  private static String line(byte[] stored, int number) {
    return new String(stored, StandardCharsets.UTF_8).split("\n", 2)[number];
  }

  // ---- one-time codes

  /// A new secret for one-time codes, encrypted for the form that confirms it.
  public String newSecret(Jid account) {
    byte[] secret = new byte[OneTimeCode.SECRET_BYTES];
    random.nextBytes(secret);
    return PasskeyAnswer.encode(seal.close("enrolment of " + account, secret));
  }

  /// The secret in Base32 as apps want it; null if it is not one of [#newSecret] for the account.
  public @Nullable String shown(Jid account, String enrolment) {
    byte[] secret = secret(account, enrolment);
    return secret == null ? null : Base32.encode(secret);
  }

  private byte @Nullable [] secret(Jid account, String enrolment) {
    try {
      return seal.open("enrolment of " + account, Base64.getUrlDecoder().decode(enrolment));
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /// Begins one-time codes with a new secret, whose code was entered.
  public Proof begin(Jid account, String enrolment, String code) {
    byte[] secret = secret(account, enrolment);
    if (!failed.begin(account)) {
      return Proof.TOO_MANY;
    }
    long step =
        secret == null
            ? OneTimeCode.NONE
            : OneTimeCode.match(secret, digits(code), clock.instant(), OneTimeCode.NONE);
    if (secret == null || step == OneTimeCode.NONE) {
      return Proof.WRONG;
    }
    failed.succeeded(account);
    removeSteps(account);
    values.put(account, STEP + step, PRESENT);
    values.put(
        account,
        SECRET,
        (clock.millis()
                + "\n"
                + Base64.getEncoder().encodeToString(seal.close("codes of " + account, secret)))
            .getBytes(StandardCharsets.UTF_8));
    return Proof.RIGHT;
  }

  private static String digits(String code) {
    return code.replaceAll("[\\s-]", "");
  }

  /// Checks a one-time code or a recovery code, either of which is right once.
  public Proof prove(Jid account, String code) {
    if (!failed.begin(account)) {
      LOG.atInfo().addKeyValue("account", account).log("console_codes_blocked");
      return Proof.TOO_MANY;
    }
    boolean right = useCode(account, digits(code)) || useRecoveryCode(account, code);
    if (right) {
      failed.succeeded(account);
    }
    return right ? Proof.RIGHT : Proof.WRONG;
  }

  private boolean useCode(Jid account, String code) {
    Map<String, byte[]> all = values.all(account);
    byte[] stored = all.get(SECRET);
    byte[] secret =
        stored == null
            ? null
            : seal.open("codes of " + account, Base64.getDecoder().decode(line(stored, 1)));
    if (secret == null) {
      if (stored != null) {
        LOG.atError().addKeyValue("account", account).log("console_codes_unreadable");
      }
      return false;
    }
    long last = OneTimeCode.NONE;
    for (String key : all.keySet()) {
      if (key.startsWith(STEP)) {
        last = Math.max(last, Long.parseLong(key.substring(STEP.length())));
      }
    }
    long step = OneTimeCode.match(secret, code, clock.instant(), last);
    if (step == OneTimeCode.NONE) {
      return false;
    }
    // The new step is there before the old one is gone: whatever fails, no code is right again. Of
    // several nodes with the same code, one removes the old step.
    values.put(account, STEP + step, PRESENT);
    return values.remove(account, STEP + last);
  }

  private boolean useRecoveryCode(Jid account, String code) {
    String typed = Base32.typed(code);
    return typed != null
        && typed.length() == 2 * Byte.SIZE
        && values.remove(account, RECOVERY + recoveryKey(account, typed));
  }

  /// What of a code is kept: without the server's secret it says nothing.
  private String recoveryKey(Jid account, String code) {
    return HexFormat.of().formatHex(signer.sign("console-recovery", account + " " + code));
  }

  /// Makes new recovery codes, which nothing keeps; those before are not valid any longer.
  public List<String> newRecoveryCodes(Jid account) {
    removeAll(account, RECOVERY);
    List<String> codes = new ArrayList<>();
    for (int i = 0; i < RECOVERY_CODES; i++) {
      byte[] bytes = new byte[RECOVERY_BYTES];
      random.nextBytes(bytes);
      String code = Base32.encode(bytes);
      values.put(account, RECOVERY + recoveryKey(account, code), PRESENT);
      codes.add(code.replaceAll("(.{4})(?!$)", "$1-"));
    }
    return codes;
  }

  /// Ends one-time codes.
  public void endCodes(Jid account) {
    boolean _ = values.remove(account, SECRET);
    removeSteps(account);
    removeUnneeded(account);
  }

  private void removeSteps(Jid account) {
    removeAll(account, STEP);
  }

  private void removeAll(Jid account, String prefix) {
    for (String key : values.all(account).keySet()) {
      if (key.startsWith(prefix)) {
        boolean _ = values.remove(account, key);
      }
    }
  }

  /// Recovery codes stand in for something.
  private void removeUnneeded(Jid account) {
    if (!of(account).any()) {
      removeAll(account, RECOVERY);
    }
  }

  // ---- passkeys

  /// By what authenticators know an account: it says nothing about the address.
  public String handle(Jid account) {
    return PasskeyAnswer.encode(signer.sign("console-passkey-user", account.toString()));
  }

  /// Registers a passkey; false if the account has too many, or someone has this one.
  public boolean add(Jid account, String id, PasskeyKey key, String site, String label) {
    String owner = hash(id);
    if (of(account).passkeys().size() >= MOST_PASSKEYS || owners.get(OWNER, owner) != null) {
      return false;
    }
    Passkey passkey = new Passkey(id, key, 0, site, label, clock.instant(), null);
    values.put(account, PASSKEY + owner, passkey.bytes());
    // Once the account is removed, and with it the identifier of the passkey, nobody can read this.
    owners.put(
        OWNER,
        owner,
        seal.close("owner of " + id, account.toString().getBytes(StandardCharsets.UTF_8)));
    return true;
  }

  private static String hash(String id) {
    return HashFunction.SHA_256.hex("passkey " + id);
  }

  /// The passkey with that identifier; null if nobody has it.
  public @Nullable Owned find(String id) {
    byte[] stored = owners.get(OWNER, hash(id));
    byte[] address = stored == null ? null : seal.open("owner of " + id, stored);
    if (address == null) {
      return null;
    }
    try {
      Jid account = Jid.stored(new String(address, StandardCharsets.UTF_8));
      byte[] bytes = values.get(account, PASSKEY + hash(id));
      Passkey passkey =
          bytes == null ? null : read(account, bytes, values.get(account, USE + hash(id)));
      return passkey == null ? null : new Owned(account, passkey);
    } catch (JidFormatException e) {
      return null;
    }
  }

  /// Notes that a passkey was used: beside it, so that one that was removed meanwhile stays so.
  public void used(Owned owned, long counter) {
    values.put(
        owned.account(),
        USE + hash(owned.passkey().id()),
        (counter + "\n" + clock.millis()).getBytes(StandardCharsets.UTF_8));
  }

  /// Removes a passkey; false if the account has none with that identifier.
  public boolean remove(Jid account, String id) {
    boolean removed = values.remove(account, PASSKEY + hash(id));
    if (removed) {
      boolean _ = values.remove(account, USE + hash(id));
      boolean _ = owners.remove(OWNER, hash(id));
      removeUnneeded(account);
    }
    return removed;
  }

  /// Removes everything; false if there was nothing.
  public boolean reset(Jid account) {
    State state = of(account);
    state.passkeys().forEach(each -> remove(account, each.id()));
    endCodes(account);
    failed.succeeded(account);
    return state.any();
  }
}
