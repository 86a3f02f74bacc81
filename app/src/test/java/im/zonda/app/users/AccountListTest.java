package im.zonda.app.users;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.jid.Jid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AccountListTest {
  private static final List<String> ONE = List.of("a.example");
  private static final List<String> TWO = List.of("a.example", "b.example");

  @Test
  void linesAreReadAsTheyAreMeant() {
    AccountList list =
        AccountList.read(
            List.of(
                "\uFEFFanna,secret",
                "",
                "# a comment",
                " bert@a.example , two words ",
                "carla,\"with,comma and \"\"quote\"\"\"",
                "dora,ünïcode"),
            ONE);
    assertThat(list.problems()).isEmpty();
    assertThat(list.rows())
        .containsExactly(
            new AccountList.Row(1, Jid.of("anna@a.example"), "secret"),
            new AccountList.Row(4, Jid.of("bert@a.example"), " two words "),
            new AccountList.Row(5, Jid.of("carla@a.example"), "with,comma and \"quote\""),
            new AccountList.Row(6, Jid.of("dora@a.example"), "ünïcode"));
  }

  @TempDir private Path folder;

  @SuppressWarnings("NullAway.Init") // JUnit sets the folder
  AccountListTest() {}

  @Test
  void linesThatAreNotUtf8AreReported() throws IOException {
    byte[] lines =
        "anna,secret\r\nj\u00FCrgen,x\r\n# \u00FC\nbert,a\u00FC\r\ncarla,x".getBytes(ISO_8859_1);
    AccountList list = AccountList.read(Files.write(folder.resolve("latin1.csv"), lines), ONE);
    assertThat(list.problems())
        .extracting(Object::toString)
        .containsExactly(
            "line 2, column 2: not UTF-8",
            "line 3, column 3: not UTF-8",
            "line 4, column 7: not UTF-8");
    assertThat(list.rows())
        .containsExactly(
            new AccountList.Row(1, Jid.of("anna@a.example"), "secret"),
            new AccountList.Row(5, Jid.of("carla@a.example"), "x"));
    assertThat(AccountList.read(Files.writeString(folder.resolve("none.csv"), ""), ONE).rows())
        .isEmpty();
    assertThat(
            AccountList.read(
                    Files.writeString(
                        folder.resolve("bom.csv"), "\uFEFF😀@a.example,x\nd\u00FC,y\n\n"),
                    ONE)
                .problems())
        .hasSize(1)
        .first()
        .asString()
        .startsWith("line 1: ");
  }

  @Test
  void everyInvalidLineIsReported() {
    AccountList list =
        AccountList.read(
            List.of(
                "anna",
                "bert,x,y",
                "carla,\"open",
                "dora,\"x\"y",
                "a b@a.example,x",
                "emil@c.example,x",
                "emil@a.example/home,x",
                "ok,x",
                "OK,x",
                "frida;x",
                "frida;x,y",
                "frida\tx",
                "frida,",
                "frida,a\u0007b"),
            ONE);
    assertThat(list.rows()).extracting(AccountList.Row::line).containsExactly(8);
    assertThat(list.problems())
        .extracting(Object::toString)
        .hasSize(13)
        .contains(
            "line 1: anna@a.example has no password; expected user,password",
            "line 2: 3 columns; expected two: user,password (a password with a comma must be in"
                + " double quotes)",
            "line 3: closing quote is missing",
            "line 4: text after a closing quote",
            "line 6: c.example is not a host of this server; its hosts are a.example",
            "line 7: \"emil@a.example/home\" is not an account; expected user@a.example",
            "line 9: ok@a.example is already in line 8",
            "line 10: separated by a semicolon; expected a comma: user,password",
            "line 11: separated by a semicolon; expected a comma: user,password",
            "line 12: separated by a tab; expected a comma: user,password",
            "line 13: frida@a.example has no password; expected user,password",
            "line 14: a password may contain letters, digits, symbols and spaces, but no control"
                + " characters")
        .anyMatch(problem -> problem.startsWith("line 5: \"a b@a.example\" is not an address"));
  }

  /// It would become the account `user` with the password `password`.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "user,password",
        "\uFEFFUsername;Password;Name",
        "\"JID\",\"Password\"",
        "e-mail, pass"
      })
  void theNamesOfColumnsAreNotAnAccount(String heading) {
    AccountList list = AccountList.read(List.of("# staff", heading, "anna,secret"), ONE);
    assertThat(list.problems())
        .extracting(Object::toString)
        .containsExactly("line 2: these are the names of columns, not an account; remove the line");
    assertThat(list.rows()).extracting(AccountList.Row::line).containsExactly(3);
    assertThat(AccountList.read(List.of("anna,secret", "user,password"), ONE).problems()).isEmpty();
    assertThat(AccountList.read(List.of("\"an;na\",secret"), ONE).problems()).isEmpty();
    assertThat(AccountList.read(List.of("user0,\"pass,word 0\""), ONE).problems()).isEmpty();
  }

  @Test
  void aUserWithoutAHostIsClearOnlyIfThereIsOneHost() {
    assertThat(AccountList.account("anna", ONE)).isEqualTo(Jid.of("anna@a.example"));
    assertThatThrownBy(() -> AccountList.account("anna", TWO))
        .hasMessage("\"anna\" has no domain; the hosts of this server are a.example, b.example");
  }

  @Test
  void aRowNeverShowsItsPassword() {
    assertThat(AccountList.read(List.of("anna,secret"), ONE).rows().toString())
        .doesNotContain("secret");
  }

  @Test
  void aRowAsALineIsTheSameRow() {
    AccountList.Row row = new AccountList.Row(1, Jid.of("#a@a.example"), " \"a\",;#\t".strip());
    AccountList read = AccountList.read(List.of(row.text()), ONE);
    assertThat(read.problems()).isEmpty();
    assertThat(read.rows()).containsExactly(row);
  }
}
