package im.zonda.module.rsm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.module.IqReply;
import im.zonda.module.testing.TestXml;
import im.zonda.stanza.ErrorCondition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResultSetRequestTest {
  private static ResultSetRequest request(String inside) throws ResultSetException {
    return ResultSetRequest.of(
        TestXml.element("<set xmlns='http://jabber.org/protocol/rsm'>" + inside + "</set>"), 50);
  }

  @Test
  void withoutOneTheFirstPageIsWanted() throws ResultSetException {
    ResultSetRequest first = new ResultSetRequest(50, null, null, false);
    assertThat(ResultSetRequest.of(null, 50)).isEqualTo(first);
    assertThat(request("")).isEqualTo(first);
    assertThat(request("<after/>")).isEqualTo(first);
  }

  @Test
  void pagesAreFoundByWhatIsBeforeOrBehind() throws ResultSetException {
    assertThat(request("<max>10</max><after> a </after>"))
        .isEqualTo(new ResultSetRequest(10, "a", null, false));
    assertThat(request("<max>10</max><before>b</before>"))
        .isEqualTo(new ResultSetRequest(10, null, "b", true));
    assertThat(request("<before/>")).isEqualTo(new ResultSetRequest(50, null, null, true));
  }

  @Test
  void row77_theMostIsCutDownToTheLimit() throws ResultSetException {
    assertThat(request("<max>51</max>").max()).isEqualTo(50);
    assertThat(request("<max>4294967297</max>").max()).isEqualTo(50);
    assertThat(request("<max>99999999999999999999999999</max>").max()).isEqualTo(50);
    assertThat(request("<max>0000000000000000000000000001</max>").max()).isEqualTo(1);
    assertThat(request("<max>0</max>").max()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-1", "+1", "1.5", "1e3", "ten", "1 or 1=1", "0x10", "١"})
  void row77_whatIsNoNumberIsRefused(String number) {
    assertRefused("<max>" + number + "</max>", ErrorCondition.BAD_REQUEST);
  }

  @Test
  void positionsAndTwoEndsAreRefused() {
    assertRefused("<max>10</max><index>3</index>", ErrorCondition.FEATURE_NOT_IMPLEMENTED);
    assertRefused("<before>a</before><after>b</after>", ErrorCondition.BAD_REQUEST);
  }

  private static void assertRefused(String inside, ErrorCondition condition) {
    assertThatThrownBy(() -> request(inside))
        .isInstanceOfSatisfying(
            ResultSetException.class,
            e -> assertThat(((IqReply.Refuse) e.reply()).error().condition()).isEqualTo(condition));
  }

  @Test
  void anEmptyPageHasNoEnds() {
    assertThat(ResultSetRequest.result(null, null).children()).isEmpty();
    assertThat(ResultSetRequest.result("1", "2"))
        .isEqualTo(
            TestXml.element(
                "<set xmlns='http://jabber.org/protocol/rsm'><first>1</first><last>2</last></set>"));
  }
}
