package im.zonda.module.testing;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.module.IqReply;
import im.zonda.stanza.Stanza;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.assertj.core.api.Assertions;

/// Compares stanzas with XML as scenarios do: by name, by the attributes that are written, by text
/// and by children in any order; `{any}` stands for any value or text.
public final class Expect {
  private static final String ANY = "{any}";

  private Expect() {}

  /// The session was sent just these since it was last looked at, in this order.
  public static void receives(TestSession session, String... expected) {
    inOrder(session.takeReceived(), expected);
  }

  /// The session was sent just these since it was last looked at, in any order.
  public static void receivesInAnyOrder(TestSession session, String... expected) {
    List<Stanza> left = new ArrayList<>(session.takeReceived());
    for (String xml : expected) {
      Element wanted = TestXml.element(xml);
      Stanza found =
          left.stream()
              .filter(stanza -> matches(wanted, stanza.toElement()))
              .findFirst()
              .orElseGet(() -> Assertions.fail("no " + xml + " in " + text(left)));
      left.remove(found);
    }
    assertThat(text(left)).isEmpty();
  }

  /// The session was sent nothing since it was last looked at.
  public static void receivesNothing(TestSession session) {
    assertThat(text(session.takeReceived())).isEmpty();
  }

  /// Modules have sent just these since the last look, in this order.
  public static void sent(TestContext context, String... expected) {
    inOrder(context.takeSent(), expected);
  }

  /// The reply is a command that has completed without an effect; returns its remark.
  public static String failedCommand(IqReply reply) {
    assertThat(reply).isInstanceOf(IqReply.Result.class);
    Element command = Objects.requireNonNull(((IqReply.Result) reply).payload());
    assertThat(command.attribute("status")).isEqualTo("completed");
    Element note = Objects.requireNonNull(command.child("note"));
    assertThat(note.attribute("type")).isEqualTo("error");
    return note.text();
  }

  /// The reply is a result with that payload.
  public static void result(IqReply reply, String expected) {
    assertThat(reply).isInstanceOf(IqReply.Result.class);
    Element payload = ((IqReply.Result) reply).payload();
    assertThat(payload).isNotNull();
    if (payload != null && !matches(TestXml.element(expected), payload)) {
      assertThat(payload.toString()).isEqualTo(expected);
    }
  }

  private static void inOrder(List<Stanza> actual, String... expected) {
    for (int i = 0; i < Math.min(actual.size(), expected.length); i++) {
      Element element = actual.get(i).toElement();
      if (!matches(TestXml.element(expected[i]), element)) {
        assertThat(element.toString()).as("stanza %d", i).isEqualTo(expected[i]);
      }
    }
    assertThat(text(actual)).hasSize(expected.length);
  }

  private static List<String> text(List<Stanza> stanzas) {
    return stanzas.stream().map(stanza -> stanza.toElement().toString()).toList();
  }

  /// Whether `actual` is what `expected` describes.
  public static boolean matches(Element expected, Element actual) {
    if (!expected.name().equals(actual.name())) {
      return false;
    }
    for (Map.Entry<QName, String> attribute : expected.attributes().entrySet()) {
      String value = actual.attribute(attribute.getKey());
      if (value == null
          || !(attribute.getValue().equals(ANY) || attribute.getValue().equals(value))) {
        return false;
      }
    }
    String text = expected.text().strip();
    if (!text.equals(ANY) && !text.equals(actual.text().strip())) {
      return false;
    }
    List<Element> left = new ArrayList<>(actual.children());
    for (Element child : expected.children()) {
      Element found = left.stream().filter(each -> matches(child, each)).findFirst().orElse(null);
      if (found == null) {
        return false;
      }
      left.remove(found);
    }
    return left.isEmpty();
  }
}
