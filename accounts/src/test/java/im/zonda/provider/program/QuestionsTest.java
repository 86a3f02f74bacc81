package im.zonda.provider.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class QuestionsTest {
  @Test
  void theLengthAndTheFieldsAreSent() {
    assertThat(Questions.account("juliet", "example.org"))
        .isEqualTo("\0\u0019isuser:juliet:example.org".getBytes(StandardCharsets.US_ASCII));
    assertThat(Questions.password("juliet", "example.org", "a:b"))
        .isEqualTo("\0\u001bauth:juliet:example.org:a:b".getBytes(StandardCharsets.US_ASCII));
    assertThat(Questions.newPassword("j", "e.org", "né"))
        .isEqualTo("\0\u0013setpass:j:e.org:né".getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void theValueMayHoldAnything() {
    assertThat(Questions.password("j", "e.org", "\0:\n:"))
        .isEqualTo("\0\u0011auth:j:e.org:\0:\n:".getBytes(StandardCharsets.US_ASCII));
  }

  @Test
  void namesThatWouldBeOtherFieldsAreNotAskedFor() {
    for (String name : List.of("juliet:example.org", ":", "a\nb", "a\0b", "a\u007fb")) {
      assertThat(Questions.account(name, "example.org")).as(name).isNull();
      assertThat(Questions.account("juliet", name)).as(name).isNull();
      assertThat(Questions.password(name, "example.org", "x")).as(name).isNull();
      assertThat(Questions.newPassword(name, "example.org", "x")).as(name).isNull();
    }
  }

  @Test
  void whatIsLongerThanItsLengthCanSayIsNotAsked() {
    int rest = Questions.MOST_BYTES - "auth:j:e.org:".length();
    byte[] longest = Questions.password("j", "e.org", "x".repeat(rest));
    assertThat(longest).hasSize(2 + Questions.MOST_BYTES);
    assertThat(Arrays.copyOf(longest, 2)).isEqualTo(new byte[] {-1, -1});
    assertThat(Questions.password("j", "e.org", "x".repeat(rest + 1))).isNull();
    assertThat(Questions.password("j", "e.org", "é".repeat(rest / 2 + 1))).isNull();
  }
}
