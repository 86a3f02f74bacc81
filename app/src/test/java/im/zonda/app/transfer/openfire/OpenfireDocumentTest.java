package im.zonda.app.transfer.openfire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.app.transfer.Credentials;
import im.zonda.app.transfer.ImportedAccount;
import im.zonda.app.transfer.RecordingReceiver;
import im.zonda.store.RosterItem;
import im.zonda.store.Subscription;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenfireDocumentTest {
  @TempDir private Path folder;

  private Path write(String users) throws IOException {
    return Files.writeString(
        folder.resolve("users.xml"),
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\n<Openfire>" + users + "</Openfire>");
  }

  private RecordingReceiver read(String users) throws IOException {
    try (OpenfireDocument document = new OpenfireDocument(write(users), "a.example")) {
      return RecordingReceiver.of(document);
    }
  }

  private static String user(String name, String password, String roster) {
    return """
    <User><Username>%s</Username><Password>%s</Password><Email></Email><Name>N</Name>
      <CreationDate>1450103443961</CreationDate><ModifiedDate>0</ModifiedDate>
      <Roster>%s</Roster></User>
    """
        .formatted(name, password, roster);
  }

  @Test
  void accountsAreTaken() throws IOException {
    RecordingReceiver read =
        read(
            user(
                "juliet",
                "secret &lt;1&gt;",
                """
                <Item jid="romeo@a.example" askstatus="-1" recvstatus="-1" substatus="3"
                  name="R"><Group>Friends</Group></Item>
                <Item jid="nurse@a.example" askstatus="-1" recvstatus="1" substatus="0"/>
                <Item jid="paris@a.example" askstatus="0" recvstatus="-1" substatus="0"/>
                <Item jid="old@a.example" askstatus="-1" recvstatus="-1" substatus="-1"/>
                <Item jid="@" askstatus="-1" recvstatus="-1" substatus="3"/>
                """));
    ImportedAccount juliet = read.account("juliet@a.example");
    assertThat(juliet.credentials()).isEqualTo(new Credentials.Password("secret <1>"));
    assertThat(juliet.created()).isEqualTo(Instant.ofEpochMilli(1_450_103_443_961L));
    assertThat(juliet.roster())
        .extracting(
            each -> each.jid() + " " + each.subscription() + " " + each.ask() + " " + each.listed())
        .containsExactly(
            "romeo@a.example BOTH false true",
            "nurse@a.example NONE false false",
            "paris@a.example NONE true true");
    RosterItem romeo = juliet.roster().getFirst();
    assertThat(romeo.subscription()).isEqualTo(Subscription.BOTH);
    assertThat(romeo.name()).isEqualTo("R");
    assertThat(romeo.groups()).containsExactly("Friends");
    assertThat(juliet.roster().get(1).request()).isNotNull();
    assertThat(read.omissions).hasSize(1);
  }

  /// Openfire writes the name where it knows keys only; everybody could log in with it.
  @Test
  void aPasswordThatIsTheNameIsNotTaken() throws IOException {
    RecordingReceiver read = read(user("juliet", "juliet", "") + user("romeo", "", ""));
    assertThat(read.account("juliet@a.example").credentials())
        .isEqualTo(
            new Credentials.None(
                "its password is its name, which Openfire writes if it has only keys"));
    assertThat(read.account("romeo@a.example").credentials()).isInstanceOf(Credentials.None.class);
  }

  @Test
  void aBadUserCostsItselfOnly() throws IOException {
    RecordingReceiver read =
        read("<Other/>" + user("bad/name", "p", "") + "<User/>" + user("romeo", "p", ""));
    assertThat(read.accounts).hasSize(1);
    assertThat(read.omissions)
        .extracting(each -> each.what() + ": " + each.why())
        .containsExactly(
            "<Other/>: not a user",
            "a user: \"bad/name\" is not a name of an account",
            "a user: \"\" is not a name of an account");
  }

  @Test
  void theFormatIsRecognised() throws IOException {
    assertThat(OpenfireDocument.recognises(write(""))).isTrue();
    Path other = Files.writeString(folder.resolve("other.xml"), "<Openfire xmlns='urn:x'/>");
    assertThat(OpenfireDocument.recognises(other)).isFalse();
    assertThat(OpenfireDocument.recognises(folder)).isFalse();
    assertThat(OpenfireDocument.recognises(Files.writeString(other, "no XML"))).isFalse();
  }

  @Test
  void theHostMustBeKnown() throws IOException {
    Path file = write("");
    assertThatThrownBy(() -> new OpenfireDocument(file, null)).hasMessageContaining("--host");
  }
}
