package im.zonda.bench.scenario.upload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;

class UploadsTest {
  private static final String SLOT =
      "<iq type='result' id='q1' from='upload.bench.test'><slot xmlns='urn:xmpp:http:upload:0'>"
          + "<put url='https://127.0.0.1:15281/upload/a?x=1&amp;y=2'>"
          + "<header name='Authorization'>Basic Zm9v</header>"
          + "<header name='Expires'>later</header></put>"
          + "<get url=\"https://127.0.0.1:15281/file/a\"/></slot></iq>";

  @Test
  void aSlotSaysWhereAFileGoesWithWhichHeader() {
    assertEquals(
        URI.create("https://127.0.0.1:15281/upload/a?x=1&y=2"), Uploads.address(SLOT, "put"));
    assertEquals(URI.create("https://127.0.0.1:15281/file/a"), Uploads.address(SLOT, "get"));
    assertEquals(Map.of("Authorization", "Basic Zm9v", "Expires", "later"), Uploads.headers(SLOT));
  }

  @Test
  void anAnswerWithoutASlotIsAnError() {
    assertThrows(IllegalStateException.class, () -> Uploads.address("<iq type='result'/>", "put"));
  }
}
