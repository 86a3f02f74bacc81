package im.zonda.stream.client;

import static im.zonda.stream.client.Sasl2LoginTest.plain;
import static im.zonda.stream.client.StreamTester.HEADER;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.stream.ChannelBinding;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// Authentication that comes together with the stream header (XEP-0509).
final class ConfigVersionTest {
  private static final String SUCCESS = "<success xmlns='urn:xmpp:sasl:2'>";
  private static final String BIND = "<bind xmlns='urn:xmpp:bind:0'><tag>Test</tag></bind>";
  private static final String OUTDATED =
      "<failure xmlns='urn:xmpp:sasl:2'><aborted xmlns='urn:ietf:params:xml:ns:xmpp-sasl'/>"
          + "<config-version-mismatch xmlns='urn:xmpp:iap:0'/>"
          + "<text>Configuration version mismatch</text></failure>";
  private static final Pattern VERSION =
      Pattern.compile("<config-version xmlns='urn:xmpp:iap:0' scheme='opaque' value='([^']+)'/>");

  private static String version(String features) {
    Matcher matcher = VERSION.matcher(features);
    assertThat(matcher.find()).as(features).isTrue();
    return matcher.group(1);
  }

  private static String madeFor(String version) {
    return plain(
        "<config-version xmlns='urn:xmpp:iap:0' scheme='opaque' value='" + version + "'/>" + BIND);
  }

  @Test
  void itIsAcceptedIfItIsMadeForWhatIsOffered() {
    String known = version(StreamTester.secure().send(HEADER));

    String answer = StreamTester.secure().send(HEADER + madeFor(known));

    assertThat(answer).contains(SUCCESS).doesNotContain("failure");
  }

  @Test
  void itIsRefusedOnceWithoutPenaltyIfSomethingElseIsOffered() {
    String other = version(StreamTester.secure().send(HEADER));
    StreamTester tester = StreamTester.secure();
    tester.transport.bindings.put(ChannelBinding.TLS_EXPORTER, new byte[] {1, 2, 3});

    String answer = tester.send(HEADER + madeFor(other));

    String offered = version(answer);
    assertThat(offered).isNotEqualTo(other);
    assertThat(answer).endsWith(OUTDATED);
    assertThat(tester.send(madeFor(offered))).contains(SUCCESS);
  }

  @Test
  void aClientThatGoesOnWithAnOldVersionIsDisconnected() {
    StreamTester tester = StreamTester.secure();
    tester.send(HEADER);
    StringBuilder answers = new StringBuilder();
    for (int i = 0; i < 10; i++) {
      answers.append(tester.send(madeFor("old")));
    }
    assertThat(answers.toString()).contains(OUTDATED).endsWith("</stream:stream>");
  }

  @Test
  void nothingOfThatIsOfferedInTheClear() {
    assertThat(new StreamTester().send(HEADER)).doesNotContain("urn:xmpp:iap:0");
  }
}
