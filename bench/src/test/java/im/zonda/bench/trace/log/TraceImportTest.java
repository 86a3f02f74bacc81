package im.zonda.bench.trace.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

import im.zonda.bench.trace.MessageBodies;
import im.zonda.bench.trace.Trace;
import im.zonda.bench.trace.TraceFormatException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TraceImportTest {
  private static final byte[] SALT = "sixteen bytes or more".getBytes(StandardCharsets.UTF_8);

  @TempDir Path folder;

  private Trace read(String log, String columns, String events) throws IOException {
    Path file = Files.writeString(folder.resolve("log"), log);
    return TraceImport.read(file, Columns.parse(columns, events), null, SALT, 60_000);
  }

  @Test
  void aLogOfMessagesKeepsLengthsAndNoNames() throws IOException {
    Trace trace =
        read(
            """
            at,user,channel,message
            2026-03-01T10:00:05Z,romeo,garden,"But, soft! ""what"" light"
            2026-03-01 10:00:00,juliet,garden,"two
            lines"
            """,
            "time=at,player=user,room=channel,text=message",
            "");

    assertThat(trace.messages())
        .extracting(Trace.Message::millis, Trace.Message::bytes)
        .containsExactly(tuple(0L, 9), tuple(5_000L, 23));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    trace.write(out);
    assertThat(out.toString(StandardCharsets.UTF_8))
        .doesNotContain("romeo", "juliet", "garden", "soft");
  }

  @Test
  void jsonLinesWithEventsOfTheirOwnAreRead() throws IOException {
    Trace trace =
        read(
            """
            {"ts":1700000000000,"type":"enter","player":"a","room":"x"}
            {"ts":1700000001500,"type":"msg","player":"a","room":"x","len":7}
            {"ts":1700000001600,"type":"whisper","player":"a","to":"b","len":4}
            {"ts":1700000003000,"type":"exit","player":"a","room":"x"}
            """,
            "time=ts,event=type,bytes=len",
            "enter=join,exit=leave,msg=say,whisper=dm");

    assertThat(trace.stays()).containsExactly(new Trace.Stay(0, 0, 0, 3_000));
    assertThat(trace.messages())
        .containsExactly(
            new Trace.Message(1_500, 0, 0, false, 7), new Trace.Message(1_600, 0, 1, true, 4));
  }

  @Test
  void aNameIsTheSameWordWithTheSameSaltOnly() {
    byte[] other = "another salt of the same kind".getBytes(StandardCharsets.UTF_8);

    assertThat(new NameHash(SALT).word("p", "romeo"))
        .isEqualTo(new NameHash(SALT).word("p", "romeo"))
        .isNotEqualTo(new NameHash(other).word("p", "romeo"))
        .matches("p[0-9a-f]{16}");
    assertThatIllegalArgumentException().isThrownBy(() -> new NameHash(new byte[15]));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "time,player,room;12.5,a                     | 2: 2 values, but the first line has 3",
        "time,player,room;noon,a,x                   | 2: \"noon\" is no time in seconds",
        "time,player;12.5,a                          | 2: no value in the column \"room\" for the"
            + " room; name the column with --columns room=NAME",
        "time,player,room,event;1,a,x,fly            | 2: unknown event \"fly\"; say what it is"
            + " with --events fly=KIND",
        "time,player,room;1,a,\"x                    | 2: a quote is not closed",
        "{\"time\":1                                 | 1: no JSON object"
      })
  void aLineThatCannotBeUnderstoodIsAnErrorWithItsNumber(String log, String fault) {
    assertThatExceptionOfType(TraceFormatException.class)
        .isThrownBy(() -> read(log.strip().replace(';', '\n') + "\n", "", ""))
        .withMessageEndingWith(":" + fault);
  }

  @Test
  void anUnknownFieldIsRejected() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Columns.parse("nick=user", ""))
        .withMessageContaining("unknown field \"nick\"");
  }

  @Test
  void bodiesHaveTheLengthOfTheTrace() {
    for (int number = 0; number < 40; number++) {
      String text = MessageBodies.text(number, number + " ", 10 + number);
      assertThat(text.getBytes(StandardCharsets.UTF_8)).hasSize(10 + number);
      assertThat(text).startsWith(number + " ").doesNotContain("<", "&", ">");
    }
  }
}
