// A client of Jupyter's REST and websocket API, apart from the course: only the image's check
// needs it.
module github.com/svmkit/course/binder/client

go 1.25.0

require github.com/coder/websocket v1.8.14
