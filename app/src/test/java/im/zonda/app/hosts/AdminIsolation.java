package im.zonda.app.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.xml.XmlElement;
import java.util.List;
import java.util.Objects;

/// What an administrator of one host does has no effect on another, and the account of the same
/// name there may not do it.
final class AdminIsolation {
  private static final String COMMANDS = "http://jabber.org/protocol/commands";
  private static final String NODE = "http://jabber.org/protocol/admin#";
  private static final String REPORTS = "urn:zonda:operation:0#report.list";

  private AdminIsolation() {}

  /// @param admin the administrator of a.example
  /// @param other the account of the same name at b.example
  static void run(ScriptedClient admin, ScriptedClient other, String secret) {
    other.send("<presence/>");
    other.fence("available");
    complete(admin, "set-motd", field("motd", secret));
    complete(admin, "edit-blacklist", field("blacklistjids", "mercutio@b.example"));
    XmlElement disabled = complete(admin, "disable-user", field("accountjids", "romeo@b.example"));
    XmlElement note =
        Objects.requireNonNull(
            Objects.requireNonNull(disabled.child(COMMANDS, "command")).child("note"));
    assertThat(note.attribute("type")).isEqualTo("error");
    for (String host : new String[] {"a.example", "b.example"}) {
      assertThat(request(other, host, "set-motd", "", "").condition()).isEqualTo("forbidden");
    }
    other.send("<message to='mercutio@b.example' id='m'><body>x</body></message>");
    XmlElement error = other.receiveFirst(each -> "m".equals(each.attribute("id")));
    assertThat(error.condition()).isEqualTo("service-unavailable"); // and not that it is blocked
    reports(admin, other, secret);
  }

  /// A report of abuse is for the administrators of the reporter's host.
  private static void reports(ScriptedClient admin, ScriptedClient other, String secret) {
    admin.send(
        "<iq type='set' id='report'><block xmlns='urn:xmpp:blocking'>"
            + "<item jid='iago@b.example'><report xmlns='urn:xmpp:reporting:1'"
            + " reason='urn:xmpp:reporting:spam'><text>"
            + secret
            + "</text></report></item></block></iq>");
    admin.receiveFirst(each -> "report".equals(each.attribute("id")));
    assertThat(complete(admin, REPORTS, "").toString()).contains(secret, "iago@b.example");
    for (ScriptedClient each : List.of(admin, other)) {
      assertThat(request(each, "b.example", REPORTS, "", "").condition()).isEqualTo("forbidden");
    }
  }

  private static String field(String name, String value) {
    return "<field var='" + name + "'><value>" + value + "</value></field>";
  }

  private static XmlElement complete(ScriptedClient admin, String command, String fields) {
    XmlElement form = request(admin, "a.example", command, "", "");
    String session =
        Objects.requireNonNull(
            Objects.requireNonNull(form.child(COMMANDS, "command"), form::toString)
                .attribute("sessionid"));
    return request(
        admin,
        "a.example",
        command,
        " sessionid='" + session + "'",
        "<x xmlns='jabber:x:data' type='submit'>" + fields + "</x>");
  }

  private static XmlElement request(
      ScriptedClient client, String host, String command, String session, String form) {
    String id = "c" + command + session.length() + host;
    client.send(
        "<iq type='set' id='"
            + id
            + "' to='"
            + host
            + "'><command xmlns='"
            + COMMANDS
            + "' node='"
            + (command.contains(":") ? command : NODE + command)
            + "'"
            + session
            + ">"
            + form
            + "</command></iq>");
    return client.receiveFirst(each -> id.equals(each.attribute("id")));
  }
}
