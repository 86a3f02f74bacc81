package im.zonda.http;

/// A request method (RFC 9110, section 9) that routes may have. HEAD is answered from GET.
public enum HttpMethod {
  GET,
  HEAD,
  POST,
  PUT,
  DELETE,
  PATCH,
  OPTIONS
}
