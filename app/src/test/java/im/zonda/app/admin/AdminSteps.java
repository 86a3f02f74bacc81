package im.zonda.app.admin;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.xml.XmlElement;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What an administrator does by commands.
final class AdminSteps {
  static final String COMMANDS = "http://jabber.org/protocol/commands";
  static final String NODE = "http://jabber.org/protocol/admin#";

  private final ScriptedClient admin;
  private final String host;
  private int ids;

  AdminSteps(ScriptedClient admin, String host) {
    this.admin = admin;
    this.host = host;
  }

  /// A field of a form.
  static String field(String name, String... values) {
    StringBuilder field = new StringBuilder("<field var='" + name + "'>");
    for (String value : values) {
      field.append("<value>").append(XmlElement.escape(value)).append("</value>");
    }
    return field.append("</field>").toString();
  }

  /// The answer to a request to run a command or to go on with it.
  XmlElement request(String command, @Nullable String session, String attributes, String payload) {
    String id = "admin" + ids++;
    admin.send(
        "<iq type='set' id='"
            + id
            + "' to='"
            + host
            + "'><command xmlns='"
            + COMMANDS
            + "' node='"
            + NODE
            + command
            + "'"
            + (session == null ? "" : " sessionid='" + session + "'")
            + " "
            + attributes
            + ">"
            + payload
            + "</command></iq>");
    return admin.receiveFirst(stanza -> id.equals(stanza.attribute("id")));
  }

  static String form(String fields) {
    return "<x xmlns='jabber:x:data' type='submit'>"
        + field("FORM_TYPE", "http://jabber.org/protocol/admin")
        + fields
        + "</x>";
  }

  /// Begins a command; returns the id of its session.
  String begin(String command) {
    XmlElement answer = request(command, null, "action='execute'", "");
    return Objects.requireNonNull(commandOf(answer).attribute("sessionid"));
  }

  static XmlElement commandOf(XmlElement answer) {
    return Objects.requireNonNull(answer.child(COMMANDS, "command"), answer::toString);
  }

  /// The answer to a command that is submitted with these fields.
  XmlElement submit(String command, String fields) {
    return request(command, begin(command), "", form(fields));
  }

  /// Runs a command that completes; returns its answer.
  XmlElement run(String command, String fields) {
    XmlElement answer = submit(command, fields);
    assertThat(commandOf(answer).attribute("status")).as(answer.toString()).isEqualTo("completed");
    assertThat(answer.toString()).doesNotContain("type='error'");
    return answer;
  }

  /// The value of a field of the result of a command without a form.
  String number(String command) {
    XmlElement answer = request(command, null, "", "");
    XmlElement form =
        Objects.requireNonNull(commandOf(answer).child("jabber:x:data", "x"), answer::toString);
    return form.children().getLast().childText("value");
  }
}
