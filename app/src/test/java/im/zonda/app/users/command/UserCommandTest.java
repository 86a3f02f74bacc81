package im.zonda.app.users.command;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.Main;
import im.zonda.app.RunningServer;
import im.zonda.app.ServerProcess;
import im.zonda.app.command.Commands;
import im.zonda.app.hosts.ConfigSource;
import im.zonda.app.settings.HostFiles;
import im.zonda.app.settings.Settings;
import im.zonda.app.settings.SettingsReader;
import im.zonda.app.settings.toml.SettingsException;
import im.zonda.app.users.ImportOperation;
import im.zonda.auth.Passwords;
import im.zonda.jid.Jid;
import im.zonda.store.Account;
import im.zonda.store.Stores;
import im.zonda.store.UploadStore.Upload;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// `zonda user` without a server and in one that runs in this process: both do the same.
@Timeout(120)
class UserCommandTest {
  private static final Jid ROMEO = Jid.of("romeo@a.example");
  private static final Instant TIME = Instant.parse("2026-11-28T12:00:00Z");

  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private Path file;
  private Path password;

  @SuppressWarnings("NullAway.Init") // set before each test
  UserCommandTest() {}

  @BeforeEach
  void configure() throws Exception {
    file =
        Files.writeString(
            folder.resolve("zonda.toml"),
            """
            hosts = ["a.example", "b.example"]
            data = "%s"
            services.invitations.accounts = "admins"
            [http]
            listen = []
            listen-tls = []
            [c2s]
            listen = ["127.0.0.1:0"]
            listen-tls = []
            """
                .formatted(folder.resolve("data")));
    password = Files.writeString(folder.resolve("password"), "secret-of-theirs\n");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void accountsAreAddedChangedAndRemoved(boolean running) throws Exception {
    with(
        running,
        () -> {
          assertThat(add("romeo@a.example")).isZero();
          assertThat(out.toString()).isEqualTo("added romeo@a.example\n");
          assertThat(add("romeo@a.example")).isEqualTo(2);
          assertThat(err.toString())
              .isEqualTo(
                  "zonda: romeo@a.example already exists, or an invitation has reserved the name\n");
          assertThat(add("romeo")).isEqualTo(2);
          assertThat(err.toString()).contains("\"romeo\" has no domain; the hosts of this server");
          assertThat(add("juliet@b.example")).isZero();
          assertThat(run("user", "list")).isZero();
          assertThat(out.toString()).isEqualTo("romeo@a.example\njuliet@b.example\n");
          assertThat(run("user", "list", "b.example")).isZero();
          assertThat(out.toString()).isEqualTo("juliet@b.example\n");
          assertThat(run("user", "list", "c.example")).isEqualTo(2);
          assertThat(err.toString())
              .isEqualTo(
                  "zonda: c.example is not a host of this server; its hosts are a.example,"
                      + " b.example\n");
          changePassword("romeo@a.example");
          assertThat(run("user", "remove", "juliet@b.example", "--yes")).isZero();
          assertThat(out.toString()).isEqualTo("removed juliet@b.example\n");
          assertThat(run("user", "remove", "juliet@b.example", "--yes")).isEqualTo(2);
          assertThat(err.toString()).isEqualTo("zonda: no such account: juliet@b.example\n");
        });
    Account romeo = stores(all -> Objects.requireNonNull(all.accounts().find(ROMEO)));
    assertThat(Passwords.matches(romeo, "another-one")).isTrue();
    long left = stores(all -> all.accounts().count("b.example"));
    assertThat(left).isZero();
  }

  private void changePassword(String user) {
    write(password, "another-one\n");
    assertThat(passwd(user)).isZero();
    assertThat(out.toString()).isEqualTo("changed the password of " + user + "\n");
    assertThat(passwd("nobody@a.example")).isEqualTo(2);
    assertThat(err.toString()).isEqualTo("zonda: no such account: nobody@a.example\n");
  }

  /// The longest password that the rules allow, and one that is longer.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void onePlaceSaysHowLongAPasswordMayBe(boolean running) throws Exception {
    String longest = "\"".repeat(Passwords.MAX_BYTES);
    with(
        running,
        () -> {
          write(password, longest);
          assertThat(add("romeo@a.example")).isZero();
          assertThat(passwd("romeo@a.example")).isZero();
          write(password, longest + "x");
          assertThat(add("juliet@a.example")).isEqualTo(2);
          assertThat(err.toString())
              .isEqualTo("zonda: a password may have at most 1024 bytes of UTF-8\n");
          assertThat(passwd("romeo@a.example")).isEqualTo(2);
          assertThat(err.toString())
              .isEqualTo("zonda: a password may have at most 1024 bytes of UTF-8\n");
        });
    Account romeo = stores(all -> Objects.requireNonNull(all.accounts().find(ROMEO)));
    assertThat(Passwords.matches(romeo, longest)).isTrue();
  }

  /// More than fit into one request; some are of another host.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aFileIsAddedInPartsAndTheSameCommandGoesOn(boolean running) throws Exception {
    int count = ImportOperation.AT_ONCE + 12;
    StringBuilder lines = new StringBuilder("# people\n");
    for (int i = 0; i < count; i++) {
      lines.append("u").append(i).append(i % 8 == 7 ? "@b" : "@a").append(".example,secret\n");
    }
    String from = Files.writeString(folder.resolve("staff.csv"), lines).toString();
    with(
        running,
        () -> {
          assertThat(add("u7@b.example")).isZero();
          assertThat(add("u2@a.example")).isZero();
          assertThat(run("user", "add", "--from", from)).isEqualTo(1);
          assertThat(out.toString()).isEqualTo("added " + (count - 2) + " of " + count + "\n");
          String taken = " already exists, or an invitation has reserved the name\n";
          assertThat(err.toString())
              .isEqualTo(
                  from
                      + ": line 4: u2@a.example"
                      + taken
                      + from
                      + ": line 9: u7@b.example"
                      + taken);
          assertThat(run("user", "add", "--from", from)).isEqualTo(1);
          assertThat(out.toString()).isEqualTo("added 0 of " + count + "\n");
        });
    long added = stores(all -> all.accounts().count("b.example"));
    assertThat(added).isEqualTo(count / 8);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aReservedNameIsTaken(boolean running) throws Exception {
    with(
        running,
        () -> {
          assertThat(add("romeo@a.example")).isZero();
          assertThat(run("invite", "juliet@a.example", "--from", "romeo")).isZero();
          assertThat(add("juliet@a.example")).isEqualTo(2);
          assertThat(err.toString()).contains("an invitation has reserved the name");
        });
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void filesAreListedAndRemoved(boolean running) throws Exception {
    for (String each : new String[] {"romeo@a.example", "juliet@a.example", "mercutio@a.example"}) {
      assertThat(add(each)).isZero();
    }
    boolean uploaded =
        stores(all ->
            upload(all, "s1", ROMEO, 10)
                && upload(all, "s2", ROMEO, 20)
                && upload(all, "s3", Jid.of("juliet@a.example"), 5));
    assertThat(uploaded).isTrue();
    with(running, this::files);
  }

  private void files() {
    assertThat(run("user", "files", "a.example")).isZero();
    assertThat(out.toString())
        .isEqualTo("juliet@a.example 1 file, 5 bytes\nromeo@a.example 2 files, 30 bytes\n");
    assertThat(run("user", "files", "b.example")).isZero();
    assertThat(out.toString()).isEqualTo("no files of b.example\n");
    assertThat(run("user", "files", "romeo@a.example")).isZero();
    assertThat(out.toString())
        .isEqualTo(
            """
            s1 2026-11-28T12:00:00Z 10 image/png s1.png
            s2 2026-11-28T12:00:00Z 20 image/png s2.png
            2 files, 30 bytes
            """);
    assertThat(run("user", "files", "mercutio@a.example")).isZero();
    assertThat(out.toString()).isEqualTo("0 files, 0 bytes\n");
    assertThat(run("user", "files", "romeo@a.example", "--remove", "s1", "s3")).isEqualTo(2);
    assertThat(err.toString()).isEqualTo("zonda: romeo@a.example has no file s3\n");
    assertThat(run("user", "files", "romeo@a.example", "--remove", "s1")).isZero();
    assertThat(out.toString()).isEqualTo("removed 1 file\n");
    assertThat(run("user", "files", "romeo@a.example", "--remove", "all")).isZero();
    assertThat(out.toString()).isEqualTo("removed 1 file\n");
    assertThat(run("user", "files", "a.example", "--remove", "all")).isEqualTo(2);
    assertThat(err.toString()).isEqualTo("zonda: name the account whose files are removed\n");
    assertThat(run("user", "files", "tybalt@a.example")).isEqualTo(2);
    assertThat(err.toString()).isEqualTo("zonda: no such account: tybalt@a.example\n");
    assertThat(run("user", "files", "romeo@c.example")).isEqualTo(2);
    assertThat(err.toString()).contains("its hosts are a.example, b.example");
  }

  private static boolean upload(Stores stores, String slot, Jid owner, long size) {
    String hash = "0".repeat(62) + slot;
    return stores
        .uploads()
        .add(new Upload(slot, owner, slot + ".png", "image/png", size, hash, TIME, null));
  }

  private static void write(Path to, String text) {
    try {
      Files.writeString(to, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private int add(String user) {
    return run("user", "add", user, "--password-file", password.toString());
  }

  private int passwd(String user) {
    return run("user", "passwd", user, "--password-file", password.toString());
  }

  private <T> T stores(Function<Stores, T> task) throws Exception {
    try (Stores stores = Main.program().openStores().apply(source().read().config())) {
      return task.apply(stores);
    }
  }

  private ConfigSource source() {
    return new ConfigSource() {
      @Override
      public Settings read() throws SettingsException {
        return new SettingsReader(Map.of(), Set.of()).read(file, null, folder);
      }

      @Override
      public Settings readWith(Path named, String content) throws SettingsException {
        return new SettingsReader(Map.of(), Set.of()).readWith(named, content, null, folder);
      }

      @Override
      public Path file() {
        return file;
      }

      @Override
      public HostFiles hostFiles() {
        return HostFiles.in(folder);
      }
    };
  }

  private void with(boolean running, Runnable task) throws Exception {
    if (!running) {
      task.run();
      return;
    }
    ConfigSource source = source();
    try (RunningServer server = new ServerProcess(source, _ -> {}).start(source.read().config())) {
      assertThat(server.listeners()).isNotEmpty();
      task.run();
    }
  }

  private int run(String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    String[] all = new String[arguments.length + 2];
    // Before the arguments: the option --remove takes all that follow it.
    int at = arguments[0].equals("user") ? 2 : 1;
    System.arraycopy(arguments, 0, all, 0, at);
    all[at] = "--config";
    all[at + 1] = file.toString();
    System.arraycopy(arguments, at, all, at + 2, arguments.length - at);
    return Commands.of(Main.program(), new PrintWriter(out, true), new PrintWriter(err, true))
        .execute(all);
  }
}
