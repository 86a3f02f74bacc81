package im.zonda.app.settings;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.S2s;
import im.zonda.config.S2s.Strangers;
import im.zonda.config.S2s.Trust;
import im.zonda.config.ServerConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The section `[s2s]`: settings by remote domain, patterns, routes.
class S2sSettingsTest {
  private static final String ROUTE =
      "a server such as \"xmpp.example.org:5269\" or \"tls://192.0.2.1:5270\"";

  @TempDir private Path folder;

  private Settings read(String text) throws Exception {
    return new WrittenFile(folder).read(text);
  }

  private List<String> problems(String text) {
    return new WrittenFile(folder).problems(text);
  }

  @Test
  void federationIsOffByDefault() throws Exception {
    assertThat(read("").config().s2s()).isEqualTo(S2s.DEFAULTS);
    assertThat(S2s.DEFAULTS.enabled()).isFalse();
  }

  @Test
  void settingsOfOneDomainOverrideThoseOfAll() throws Exception {
    S2s s2s =
        read("""
        [s2s]
        give-up = "1h"
        stanza-rate = 7
        strangers = "reject"
        [s2s.domain."Friend.Example"]
        trust = "certificate-or-dialback"
        stanza-rate = 0
        strangers = "accept"
        """)
            .config()
            .s2s();
    assertThat(s2s.trustOf("friend.example")).isEqualTo(Trust.CERTIFICATE_OR_DIALBACK);
    assertThat(s2s.giveUpOf("friend.example")).isEqualTo(Duration.ofHours(1));
    assertThat(s2s.stanzaRateOf("friend.example")).isZero();
    assertThat(s2s.presenceRateOf("friend.example")).isEqualTo(500);
    assertThat(s2s.strangersOf("friend.example")).isEqualTo(Strangers.ACCEPT);
    assertThat(s2s.strangersOf("other.example")).isEqualTo(Strangers.REJECT);
    assertThat(s2s.trustOf("other.example")).isEqualTo(Trust.CERTIFICATE);
    assertThat(s2s.stanzaRateOf("other.example")).isEqualTo(7);
  }

  @Test
  void routesAreByPreparedDomain() throws Exception {
    S2s s2s =
        read("""
        [s2s.route]
        "Bücher.example" = "127.0.0.1:15269"
        "b.example" = "tls://[::1]:5270"
        """)
            .config()
            .s2s();
    assertThat(s2s.route())
        .isEqualTo(Map.of("bücher.example", "127.0.0.1:15269", "b.example", "tls://[::1]:5270"));
  }

  @Test
  void aWildcardStandsForDomainsBelow() throws Exception {
    S2s open = read("[s2s]\ndeny = [\"*.Bad.example\", \"worse.example\"]\n").config().s2s();
    assertThat(open.permits("bad.example")).isTrue();
    assertThat(open.permits("a.b.bad.example")).isFalse();
    assertThat(open.permits("notbad.example")).isTrue();
    assertThat(open.permits("worse.example")).isFalse();
    S2s closed = read("[s2s]\nallow = [\"*.example\"]\ndeny = [\"x.example\"]\n").config().s2s();
    assertThat(closed.permits("y.example")).isTrue();
    assertThat(closed.permits("x.example")).isFalse();
    assertThat(closed.permits("y.test")).isFalse();
    assertThat(read("[s2s]\ndeny = [\"*\"]\n").config().s2s().permits("y.test")).isFalse();
  }

  @Test
  void errorsSayWhereAndWhatIsExpected() throws Exception {
    assertThat(
            problems(
                """
                hosts = ["mine.example"]
                [s2s]
                allow = ["*example"]
                [s2s.route]
                "b.example" = "b.example"
                "c.example" = "http://c.example:1"
                "d example" = "127.0.0.1:1"
                "e.example" = "127.0.0.1:0"
                "f.example" = 5269
                "mine.example" = "127.0.0.1:1"
                "G.example" = "127.0.0.1:1"
                "g.example" = "127.0.0.1:1"
                [s2s.domain]
                "c.example" = "x"
                [s2s.domain."b.example"]
                trust = "blind"
                stanza-rate = -1
                strangers = "keep"
                give-down = "1s"
                """))
        .containsExactly(
            "3:10: s2s.allow must be a list of domains such as [\"example.org\","
                + " \"*.example.org\"], not \"*example\"",
            "5:1: s2s.route.b.example must be " + ROUTE + ", not \"b.example\"",
            "6:1: s2s.route.c.example must be " + ROUTE + ", not \"http://c.example:1\"",
            "7:1: s2s.route.d example: d example is no domain",
            "8:1: s2s.route.e.example must be " + ROUTE + ", not \"127.0.0.1:0\"",
            "9:1: s2s.route.f.example must be " + ROUTE + ", not 5269",
            "10:1: s2s.route.mine.example: mine.example is a host of this server, not a remote one",
            "12:1: s2s.route.g.example is set twice",
            "14:1: s2s.domain.c.example must be a section",
            "16:1: s2s.domain.b.example.trust must be one of \"certificate\","
                + " \"certificate-or-dialback\", not \"blind\"",
            "17:1: s2s.domain.b.example.stanza-rate must be a whole number, not -1",
            "18:1: s2s.domain.b.example.strangers must be one of \"accept\", \"reject\","
                + " \"hold\", not \"keep\"",
            "19:1: unknown key s2s.domain.b.example.give-down");
  }

  @Test
  void aReloadNamesWhatNeedsARestart() throws Exception {
    ServerConfig before = read("").config();
    Settings wanted = read("[s2s.route]\n\"b.example\" = \"127.0.0.1:1\"\n");
    List<String> lines =
        SettingsChange.describe(before, before.withReloadable(wanted.config()), wanted);
    assertThat(lines).hasSize(1);
    assertThat(lines.getFirst()).startsWith("needs a restart: s2s.route (").endsWith(":1:1)");
  }
}
