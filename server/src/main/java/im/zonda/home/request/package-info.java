/// Requests of the server to clients and components, and their answers, on whatever node they
/// arrive; the bound of large answers.
@NullMarked
package im.zonda.home.request;

import org.jspecify.annotations.NullMarked;
