package im.zonda.app.transfer.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.app.Main;
import im.zonda.app.RunningServer;
import im.zonda.app.ServerProcess;
import im.zonda.app.command.Commands;
import im.zonda.app.hosts.ConfigSource;
import im.zonda.app.settings.HostFiles;
import im.zonda.app.settings.Settings;
import im.zonda.app.settings.SettingsReader;
import im.zonda.app.settings.toml.SettingsException;
import im.zonda.app.transfer.ImportSource;
import im.zonda.app.transfer.SampleDatabase;
import im.zonda.net.Listener;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.client.SocketWire;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// `zonda import` with data of real servers, and people who log in afterwards.
@Timeout(120)
class ImportCommandTest {
  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void writeConfiguration() throws IOException {
    configure("move.example");
  }

  private void configure(String host) throws IOException {
    Files.writeString(
        folder.resolve("zonda.toml"),
        """
        hosts = ["%s"]
        data = "%s"
        [http]
        listen = []
        listen-tls = []
        [c2s]
        listen = []
        listen-tls = ["127.0.0.1:0"]
        """
            .formatted(host, folder.resolve("data")));
  }

  private static String resource(String name) {
    try {
      return Path.of(Objects.requireNonNull(ImportSource.class.getResource(name)).toURI())
          .toString();
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  private int run(String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    String[] all = Arrays.copyOf(arguments, arguments.length + 2);
    all[arguments.length] = "--config";
    all[arguments.length + 1] = folder.resolve("zonda.toml").toString();
    return Commands.of(Main.program(), new PrintWriter(out, true), new PrintWriter(err, true))
        .execute(all);
  }

  private RunningServer start() throws Exception {
    Path file = folder.resolve("zonda.toml");
    ConfigSource source =
        new ConfigSource() {
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
    return new ServerProcess(source, code -> {}).start(source.read().config());
  }

  private static ScriptedClient login(RunningServer server, String user) throws IOException {
    return login(server, user, "secret-" + user);
  }

  private static ScriptedClient login(RunningServer server, String user, String password)
      throws IOException {
    Listener listener =
        server.listeners().stream()
            .filter(each -> each.kind() == Listener.Kind.DIRECT_TLS)
            .findFirst()
            .orElseThrow();
    Login login =
        Login.of(user + "@move.example/x", password).withSecurity(Login.Security.DIRECT_TLS);
    return new ScriptedClient(SocketWire.connectTls(listener.address(), login.domain()))
        .login(login);
  }

  private static XmlElement await(ScriptedClient client, String text) {
    return client.receiveFirst(each -> each.toString().contains(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "prosody/data",
        "prosody/prosody.sqlite",
        "ejabberd/old.sqlite",
        "ejabberd/new.sqlite",
        "ejabberd/dump.txt",
        "mongooseim/sample.sql",
        "openfire/sample.sql"
      })
  void peopleLogInWithTheirOldPasswords(String name) throws Exception {
    String source =
        name.endsWith(".sql") ? SampleDatabase.file(name, folder).toString() : resource(name);
    assertThat(run("import", source, "--dry-run")).as(err.toString()).isZero();
    assertThat(out.toString()).startsWith("would take from ").contains("3  accounts\n");
    assertThat(folder.resolve("data")).doesNotExist();
    assertThat(run("import", source)).as(err.toString()).isZero();
    assertThat(out.toString()).startsWith("taken from ").contains("nothing is left out\n");
    RunningServer server = start();
    try (ScriptedClient juliet = login(server, "juliet");
        ScriptedClient romeo = login(server, "romeo")) {
      juliet.send("<iq type='get' id='r'><query xmlns='jabber:iq:roster'/></iq>");
      assertThat(await(juliet, "id='r'").toString())
          .contains("romeo@move.example", "subscription='both'", "Verona");
      juliet.send("<presence/>");
      assertThat(await(juliet, "Did my heart love till now?").toString())
          .contains("urn:xmpp:delay", "from='move.example'");
      await(juliet, "Madam!");
      juliet.send(
          "<iq type='set' id='a'><query xmlns='urn:xmpp:mam:2'><x xmlns='jabber:x:data'"
              + " type='submit'><field var='FORM_TYPE'><value>urn:xmpp:mam:2</value></field>"
              + "</x></query></iq>");
      await(juliet, "But soft! What light?");
      await(juliet, "Ay me!");
      await(juliet, "Did my heart");
      assertThat(await(juliet, "id='a'").toString()).contains("complete='true'");
      juliet.send(
          "<presence to='coven@rooms.move.example/Juliet'><x xmlns="
              + "'http://jabber.org/protocol/muc'><password>cauldron</password></x></presence>");
      assertThat(await(juliet, "code='110'").toString()).contains("affiliation='owner'");
      await(juliet, "and cauldron bubble");
      await(juliet, "Double, double");
      romeo.send(
          "<presence to='coven@rooms.move.example/Romeo'><x xmlns="
              + "'http://jabber.org/protocol/muc'><password>wrong</password></x></presence>");
      await(romeo, "not-authorized");
    } finally {
      server.close();
    }
    assertThat(run("import", source)).isZero();
    assertThat(out.toString()).contains("0  accounts\n").contains("taken by an earlier run");
  }

  @Test
  void theDocumentOfEjabberdIsTaken() throws Exception {
    assertThat(run("import", resource("ejabberd/pie/all.xml"), "--json")).isZero();
    assertThat(out.toString())
        .startsWith("{\"source\":\"XEP-0227 ")
        .contains("\"taken\":{\"accounts\":3,");
    RunningServer server = start();
    try (ScriptedClient juliet = login(server, "juliet")) {
      assertThat(juliet.unread()).isZero();
    } finally {
      server.close();
    }
  }

  @Test
  void theDocumentOfOpenfireIsTaken() throws Exception {
    Path document =
        Files.writeString(
            folder.resolve("users.xml"),
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <Openfire>
              <User><Username>juliet</Username><Password>secret-juliet</Password><Roster>
                <Item jid="romeo@move.example" askstatus="-1" recvstatus="-1" substatus="3"/>
              </Roster></User>
              <User><Username>romeo</Username><Password>romeo</Password><Roster/></User>
            </Openfire>
            """);
    assertThat(run("import", document.toString())).isZero();
    assertThat(out.toString())
        .contains("2  accounts\n")
        .contains("the password of romeo@move.example: its password is its name");
    RunningServer server = start();
    try (ScriptedClient juliet = login(server, "juliet")) {
      juliet.send("<iq type='get' id='r'><query xmlns='jabber:iq:roster'/></iq>");
      assertThat(await(juliet, "id='r'").toString())
          .contains("romeo@move.example", "subscription='both'");
      assertThatThrownBy(() -> login(server, "romeo", "romeo").close())
          .hasMessageContaining("not-authorized");
    } finally {
      server.close();
    }
  }

  @Test
  void anotherHostIsReported() throws Exception {
    configure("other.example");
    assertThat(run("import", resource("prosody/data"), "--dry-run")).isEqualTo(1);
    assertThat(out.toString())
        .contains("move.example is not a host of this server; add it to hosts")
        .contains("rooms.move.example is no room service of a host of this server");
  }

  @Test
  void whatIsNoSourceIsAnError() throws IOException {
    assertThat(run("import", folder.resolve("missing").toString())).isEqualTo(2);
    assertThat(err.toString()).contains("there is no file or folder");
    assertThat(run("import", folder.resolve("zonda.toml").toString())).isEqualTo(2);
    assertThat(err.toString()).contains("is not recognised; give it with --format: xep-0227");
    assertThat(run("import", folder.toString())).isEqualTo(2);
    assertThat(run("import", folder.toString(), "--format", "csv")).isEqualTo(2);
    assertThat(err.toString()).contains("unknown format \"csv\"");
    assertThat(run("import", "mysql://127.0.0.1:1/x")).isEqualTo(2);
    assertThat(err.toString()).contains("or mariadb://HOST/DATABASE");
    assertThat(run("import", "postgresql://127.0.0.1:1/x")).isEqualTo(2);
    assertThat(err.toString()).contains("--user must be given");
    assertThat(run("import", "postgresql://127.0.0.1:1/x", "--user", "u")).isEqualTo(1);
    assertThat(err.toString()).contains("postgresql://127.0.0.1:1/x");
    assertThat(folder.resolve("data")).doesNotExist();
  }

  @Test
  void aRunningServerIsNotDisturbed() throws Exception {
    RunningServer server = start();
    try {
      assertThat(run("import", resource("prosody/data"))).isEqualTo(1);
      assertThat(err.toString()).contains("is in use by process");
    } finally {
      server.close();
    }
  }
}
