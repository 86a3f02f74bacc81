package im.zonda.app.load.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.app.load.measure.ServerMemory;
import im.zonda.app.load.options.ManagedOptions;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StreamScannerTest implements StreamScanner.Listener {
  private final List<String> heard = new ArrayList<>();

  @Override
  public void stanza() {
    heard.add("stanza");
  }

  @Override
  public void request() {
    heard.add("r");
  }

  @Override
  public void answer(long handled) {
    heard.add("a " + handled);
  }

  @Test
  void findsStanzasAndCountsHoweverTheBytesAreCut() {
    String text =
        "<message to='a&gt;b' note=\"a>b</message>'\"><body>a<b/></body><a h='9'/></message>"
            + " <presence/><r xmlns='urn:xmpp:sm:3'/>"
            + "<a xmlns='urn:xmpp:sm:3' h='42'></a><iq\n type='result'><r/><iq/></iq>"
            + "<a h=\"4294967295\" xmlns=\"urn:xmpp:sm:3\"/><stream:error><x/></stream:error>"
            + "<message>not yet whole";
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    for (int size = 1; size <= bytes.length; size++) {
      heard.clear();
      StreamScanner scanner = new StreamScanner(this);
      for (int at = 0; at < bytes.length; at += size) {
        int length = Math.min(size, bytes.length - at);
        byte[] part = new byte[length];
        System.arraycopy(bytes, at, part, 0, length);
        scanner.take(part, length);
      }
      assertThat(heard).containsExactly("stanza", "stanza", "r", "a 42", "stanza", "a 4294967295");
    }
  }

  @Test
  void readsAttributes() {
    String tag = "<enabled xmlns='urn:xmpp:sm:3' resume=\"true\" previd='no' id='a1' max='300'/>";

    assertThat(Attributes.of(tag, "id")).isEqualTo("a1");
    assertThat(Attributes.of(tag, "resume")).isEqualTo("true");
    assertThat(Attributes.of(tag, "location")).isNull();
    assertThat(Attributes.of("<a h='", "h")).isNull();
  }

  @Test
  void readsOptions() {
    ManagedOptions options =
        ManagedOptions.parse(List.of("--sm", "off", "--pairs", "3", "--sessions", "9"));

    assertThat(options.managed()).isFalse();
    assertThat(options.load().pairs()).isEqualTo(3);
    assertThat(options.sessions()).isEqualTo(9);
    assertThatThrownBy(() -> ManagedOptions.parse(List.of("--speed", "9")))
        .hasMessageContaining("--speed is unknown")
        .hasMessageContaining("--concurrency");
    assertThatThrownBy(() -> ManagedOptions.parse(List.of("--sm", "yes")))
        .hasMessageContaining("--sm is neither on nor off");
    assertThatThrownBy(() -> ManagedOptions.parse(List.of("--ask")))
        .hasMessageContaining("--ask is unknown or has no value");
  }

  @Test
  void readsTheHistogramOfClasses() {
    List<String> printed =
        List.of(
            " num     #instances         #bytes  class name (module)",
            "-------------------------------------------------------",
            "   1:         64077        5131904  [B (java.base@25.0.3)",
            "   2:          9313        1137832  im.zonda.Thing",
            "Total        295031       16290856");

    ServerMemory.Heap heap = ServerMemory.parse(printed).orElseThrow();

    assertThat(heap.bytes()).isEqualTo(16_290_856);
    assertThat(heap.byClass()).containsEntry("im.zonda.Thing", 1_137_832L).hasSize(2);
    assertThat(ServerMemory.parse(List.of("1234: no such process"))).isEmpty();
  }

  @Test
  void aProcessThatIsNotJavaIsNotAskedForItsHeap() throws Exception {
    // jcmd would end it, because it has no handler for the signal.
    Process sleeper = new ProcessBuilder("sleep", "60").start();
    try {
      assertThat(new ServerMemory(sleeper.pid(), true).liveHeap()).isEmpty();
      assertThat(sleeper.isAlive()).isTrue();
      assertThat(new ServerMemory(sleeper.pid(), true).residentKib()).isPositive();
      assertThat(new ServerMemory(ProcessHandle.current().pid(), true).liveHeap()).isEmpty();
    } finally {
      sleeper.destroy();
    }
  }
}
