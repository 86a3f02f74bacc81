package im.zonda.bench.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import im.zonda.bench.trace.synth.Arena;
import im.zonda.bench.trace.synth.TraceSynthesis;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TraceFormatTest {
  private static final String HEAD = "#zonda-trace=1\n#length=100000\n";

  @TempDir Path folder;

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("trace.tsv"), text.replace(' ', '\t'));
  }

  private Trace read(String events) throws IOException {
    return TraceBuilder.read(file(HEAD + events), 600_000);
  }

  private static String written(Trace trace) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    trace.write(out);
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void aTraceIsReadAsItWasWritten() throws IOException {
    Trace trace = TraceSynthesis.make(new Arena(30, 3, 15, 300_000, 4));
    Path file = folder.resolve("trace.tsv.gz");
    trace.write(TraceFile.writer(file));

    Trace again = TraceBuilder.read(file, 0);

    assertThat(Files.readAllBytes(file)).startsWith(0x1f, 0x8b);
    assertThat(again.millis()).isEqualTo(300_000);
    assertThat(written(again).lines().sorted())
        .containsExactlyElementsOf(written(trace).lines().sorted().toList());
  }

  @Test
  void theExampleOfTheFormatIsRead() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("trace.tsv"),
            """
            #zonda-trace=1  #clock=ms since start  #players=3  #rooms=1  #seed=7
            t_ms\tevent\tplayer\troom\tbytes
            0\tlogin\tp17\t-\t-
            310\tjoin\tp17\tr4\t-
            1250\tsay\tp17\tr4\t38

            1900\tdm\tp17\tp22\t12
            60000\tleave\tp17\tr4\t-
            90000\tlogout\tp17\t-\t-
            """);

    Trace trace = TraceBuilder.read(file, 0);

    assertThat(trace.header().values()).containsEntry("clock", "ms since start");
    assertThat(trace.sessions()).containsExactly(new Trace.Session(0, 0, 90_000));
    assertThat(trace.stays()).containsExactly(new Trace.Stay(0, 0, 310, 60_000));
    assertThat(trace.messages())
        .containsExactly(
            new Trace.Message(1_250, 0, 0, false, 38), new Trace.Message(1_900, 0, 1, true, 12));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "5 fly p1 r1 -            | 3: unknown event \"fly\"",
        "x login p1 - -           | 3: time \"x\" is no whole number",
        "-1 login p1 - -          | 3: time -1 is not from 0 to 31622400000",
        "5 login p1 -             | 3: 4 fields between tabs, not 5",
        "5 say p1 r1 0            | 3: length 0 is not from 1 to 65536",
        "5 say p1 r1 -            | 3: length 0 is not from 1 to 65536",
        "5 say p1 r1 9999999999   | 3: length 1073741824 is not from 1 to 65536",
        "5 say p1 - 4             | 3: say needs a room or receiver",
        "5 login p1 r1 -          | 3: login has no room or receiver",
        "5 join p1 r1 4           | 3: join has no length",
        "5 login  - -             | 3: the player is missing"
      })
  void aLineThatIsNotInTheFormatIsAnErrorWithItsNumber(String line, String fault)
      throws IOException {
    Path file = file(HEAD + line.strip() + "\n");

    assertThatExceptionOfType(TraceFormatException.class)
        .isThrownBy(() -> TraceBuilder.read(file, 0))
        .withMessage(file + ":" + fault);
  }

  @ParameterizedTest
  @CsvSource({
    "#zonda-trace=2, 1: version 2 of the format is unknown",
    "login, 1: the file does not begin with #zonda-trace=1",
    "#zonda-trace=1#x, 1: version 1#x of the format is unknown",
    "##, '1: \"##\" is not #key=value'"
  })
  void aFileWithAnotherHeaderIsAnError(String head, String fault) throws IOException {
    Path file = file(head + "\n");

    assertThatExceptionOfType(TraceFormatException.class)
        .isThrownBy(() -> TraceReader.open(file))
        .withMessage(file + ":" + fault);
  }

  @Test
  void bytesThatAreNotUtf8AreAnError() throws IOException {
    Path file = folder.resolve("trace.tsv.gz");
    try (var out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write("#zonda-trace=1\n5\tlogin\tp".getBytes(StandardCharsets.UTF_8));
      out.write(new byte[] {(byte) 0xff, '\t', '-', '\t', '-', '\n'});
    }

    assertThatExceptionOfType(TraceFormatException.class)
        .isThrownBy(() -> TraceBuilder.read(file, 0))
        .withMessageEndingWith("not UTF-8");
  }

  @Test
  void timesThatGoBackAreAnError() throws IOException {
    assertThatExceptionOfType(TraceFormatException.class)
        .isThrownBy(() -> read("7 login p1 - -\n6 login p2 - -\n"))
        .withMessageEndingWith(":4: time 6 is before that of the event above, 7");
  }

  @Test
  void aMessageOfOneWhoIsOutImpliesAnEntryBeforeAndADepartureAfter() throws IOException {
    Trace trace = TraceBuilder.read(file(HEAD + "20000 say p1 r1 9\n22000 say p1 r1 9\n"), 10_000);

    assertThat(trace.stays()).containsExactly(new Trace.Stay(0, 0, 15_000, 32_000));
    assertThat(trace.sessions()).containsExactly(new Trace.Session(0, 15_000, 32_000));
  }

  @Test
  void aLongSilenceEndsAnImpliedStay() throws IOException {
    Trace trace = TraceBuilder.read(file(HEAD + "2000 say p1 r1 9\n52000 say p1 r1 9\n"), 10_000);

    assertThat(trace.stays())
        .containsExactly(new Trace.Stay(0, 0, 0, 12_000), new Trace.Stay(0, 0, 47_000, 62_000));
  }

  @Test
  void anImpliedEntryIsNotBeforeTheDepartureThatWasRecorded() throws IOException {
    Trace trace = read("0 login p1 - -\n1 join p1 r1 -\n3000 leave p1 r1 -\n4000 say p1 r1 9\n");

    assertThat(trace.stays()).first().isEqualTo(new Trace.Stay(0, 0, 1, 3_000));
    assertThat(trace.stays()).last().extracting(Trace.Stay::from).isEqualTo(3_000L);
  }

  @Test
  void allFaultsAreFoundWithTheirLines() throws IOException {
    Path file =
        file(
            HEAD
                + """
                0 login p1 - -
                0 login p1 - -
                1 join p1 r1 -
                2 join p1 r1 -
                3 join p2 r1 -
                4 say p3 r1 5
                5 leave p3 r1 -
                what
                3 say p1 r1 5
                6 logout p4 - -
                7 say p1 r1 5
                100000 logout p1 - -
                """);
    List<String> faults = new ArrayList<>();

    long count = TraceCheck.check(file, 1, faults::add);

    assertThat(count).isEqualTo(9);
    assertThat(faults)
        .containsExactly(
            "line 4: p1 is connected already",
            "line 6: p1 is in r1 already",
            "line 7: r1 has 2 players, more than 1",
            "line 8: p3 speaks in r1 and is not there",
            "line 9: p3 is not in r1",
            file + ":10: 1 fields between tabs, not 5",
            "line 11: time 3 is before that of the event above, 5",
            "line 12: p4 is not connected",
            "#length=100000 is not after the last event, 100000");
  }

  @Test
  void aLogOfMessagesAloneHasNoFaults() throws IOException {
    Path file = file(HEAD + "5 say p1 r1 5\n7 dm p1 p2 5\n");

    assertThat(TraceCheck.check(file, 0, fault -> {})).isZero();
  }
}
