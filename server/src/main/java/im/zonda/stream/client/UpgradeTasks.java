package im.zonda.stream.client;

import im.zonda.auth.Passwords;
import im.zonda.jid.Jid;
import im.zonda.module.IdSource;
import im.zonda.module.Xep;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.store.Account;
import im.zonda.store.ScramKeys;
import im.zonda.stream.Stream;
import im.zonda.stream.sasl.LoginAttempts;
import im.zonda.stream.sasl.SaslCondition;
import im.zonda.stream.sasl.SaslFailure;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/// Tasks between a proved password and success: the client gives the keys of hashes that the
/// account lacks, so that it can log in with better mechanisms.
///
/// What the client gives cannot be checked; it has proved the password, with which it might set
/// another one as well. A client with only a token must not come here.
@Xep(number = 480, version = "0.2.0", title = "SASL Upgrade Tasks")
final class UpgradeTasks {
  static final String NAMESPACE = "urn:xmpp:sasl:upgrade:0";

  /// The names of the tasks.
  static final List<String> OFFERED = List.of("UPGR-SCRAM-SHA-512", "UPGR-SCRAM-SHA-256");

  private static final String SCRAM = "urn:xmpp:scram-upgrade:0";
  private static final String PREFIX = "UPGR-SCRAM-";

  /// The authentication that the tasks belong to.
  interface Login {
    /// The password is proved and all tasks are done.
    void completeUpgrades();

    /// Adds the mechanism's data, if they have not been sent yet.
    void addData(Element.Builder builder);

    /// The authentication has failed.
    void failed(SaslFailure failure);
  }

  private final Stream stream;
  private final IdSource ids;
  private final StreamHost host;
  private final Login login;
  private final Jid account;
  private final Queue<String> hashes = new ArrayDeque<>();

  /// The keys by which the client has proved the password; null if the account no longer has them.
  private final @Nullable ScramKeys proved;

  private byte @Nullable [] salt;

  UpgradeTasks(
      Stream stream,
      IdSource ids,
      StreamHost host,
      Login login,
      Jid account,
      @Nullable ScramKeys proved) {
    this.stream = stream;
    this.ids = ids;
    this.host = host;
    this.login = login;
    this.account = account;
    this.proved = proved;
  }

  /// The hash that a task is about, or null if there is no such task.
  static @Nullable String hashOf(String task) {
    return OFFERED.contains(task) ? task.substring(PREFIX.length()) : null;
  }

  /// Begins with the hashes of `wanted` that the account lacks; completes at once if it lacks none.
  void start(List<String> wanted) {
    stream.runBlocking(
        () -> {
          Account found = host.accounts().find(account);
          List<ScramKeys> keys = found == null ? List.of() : found.keys();
          return () -> {
            for (String hash : wanted) {
              if (keys.stream().noneMatch(each -> each.hash().equals(hash))) {
                hashes.add(hash);
              }
            }
            nextTask();
          };
        },
        this::failInternally);
  }

  private void nextTask() {
    String hash = hashes.peek();
    if (hash == null) {
      login.completeUpgrades();
      return;
    }
    Element.Builder step = Element.builder(Sasl2Request.NAMESPACE, "continue");
    login.addData(step);
    step.child(
        Element.builder(Sasl2Request.NAMESPACE, "tasks").child("task", PREFIX + hash).build());
    stream.write(step.build());
  }

  /// Takes `<next/>` or `<task-data/>`.
  ///
  /// @throws SaslFailure if it is not what is expected
  void receive(Element element) throws SaslFailure {
    String hash = hashes.peek();
    byte[] given = salt;
    boolean next = element.name().name().equals("next");
    if (hash == null || next != (given == null)) {
      stream.fail(StreamErrorCondition.POLICY_VIOLATION, "not what comes now");
    } else if (given == null) {
      if (!(PREFIX + hash).equals(element.attribute("task"))) {
        throw new SaslFailure(SaslCondition.MALFORMED_REQUEST, "another task");
      }
      askForHash();
    } else {
      take(hash, given, element);
    }
  }

  private void askForHash() {
    byte[] made =
        Arrays.copyOf(ids.next().getBytes(StandardCharsets.US_ASCII), Passwords.SALT_BYTES * 2);
    salt = made;
    Element text =
        Element.builder(SCRAM, "salt")
            .attribute("iterations", Integer.toString(Passwords.ITERATIONS))
            .text(Base64.getEncoder().encodeToString(made))
            .build();
    stream.write(Element.builder(Sasl2Request.NAMESPACE, "task-data").child(text).build());
  }

  private void take(String hash, byte[] given, Element data) throws SaslFailure {
    Element child = data.child(new QName(SCRAM, "hash"));
    byte[] salted = child == null ? new byte[0] : Sasl2Request.data(child);
    if (salted.length != (hash.equals("SHA-256") ? 32 : 64)) {
      throw new SaslFailure(SaslCondition.MALFORMED_REQUEST, "not the length of the hash");
    }
    ScramKeys known = proved;
    ScramKeys added = Passwords.ofSalted(hash, given, Passwords.ITERATIONS, salted);
    stream.runBlocking(
        () -> {
          boolean done = known != null && host.accounts().addKeys(account, known, added);
          return () -> {
            if (!done) {
              login.failed(
                  new SaslFailure(SaslCondition.NOT_AUTHORIZED, "the password was changed"));
              return;
            }
            salt = null;
            hashes.remove();
            nextTask();
          };
        },
        this::failInternally);
  }

  private void failInternally(Exception cause) {
    login.failed(LoginAttempts.internalFailure(host, cause));
  }
}
